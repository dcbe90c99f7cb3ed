import { useSyncExternalStore } from 'react'

export type Toast = { id: number; text: string; link?: { to: string; label: string } | undefined }

/** An older one makes room. */
const most = 3
let toasts: readonly Toast[] = []
let last = 0
const listeners = new Set<() => void>()

/** Says in the corner that something worked, for what leaves the page as it is. What failed is said beside what caused it. */
export function toast(text: string, link?: Toast['link']) {
  show([...toasts.slice(1 - most), { id: ++last, text, link }])
}

export function dismissToast(id: number) {
  show(toasts.filter((toast) => toast.id !== id))
}

export function forgetToasts() {
  show([])
}

export function useToasts() {
  return useSyncExternalStore(subscribe, () => toasts)
}

function show(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

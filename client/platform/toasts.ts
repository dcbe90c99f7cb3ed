import { createStore } from './create-store.ts'

export type Toast = {
  id: number
  text: string
  /** What failed, if something did; the text then says why. */
  failed?: string
  link?: { to: string; label: string } | undefined
}

/** An older one makes room. */
const most = 3
const toasts = createStore<readonly Toast[]>([])
export const useToasts = toasts.use
let last = 0

/** Says in the corner that something worked. */
export function toast(text: string, link?: Toast['link']) {
  add({ text, link })
}

/** Only for a failure whose cause is no longer on screen. Others are said beside their cause. */
export function toastFailure(failed: string, text: string) {
  add({ failed, text })
}

export function dismissToast(id: number) {
  toasts.set(toasts.get().filter((toast) => toast.id !== id))
}

export function forgetToasts() {
  toasts.set([])
}

function add(toast: Omit<Toast, 'id'>) {
  toasts.set([...toasts.get().slice(1 - most), { ...toast, id: ++last }])
}

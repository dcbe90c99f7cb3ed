import { createStore } from './create-store.ts'

export type Toast = {
  id: number
  text: string
  /** In a failure, what failed. `text` then says why. */
  failed?: string
  /** A link to another screen, or a button. */
  action?: ToastAction | undefined
}

type ToastAction = { label: string } & ({ to: string } | { onSelect: () => void })

/** How many toasts there are at most. A new one removes the oldest. */
const most = 3
const toasts = createStore<readonly Toast[]>([])
export const useToasts = toasts.use
let last = 0

/** Shows in the corner that something worked. */
export function toast(text: string, action?: ToastAction) {
  add({ text, action })
}

/** Shows a failure whose cause is no longer on screen. Others are shown beside their cause. */
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

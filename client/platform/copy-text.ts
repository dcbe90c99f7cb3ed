import { toast } from './toasts.ts'

/** Puts a text on the clipboard, and says so. */
export async function copyText(text: string, said: string) {
  await navigator.clipboard.writeText(text)
  toast(said)
}

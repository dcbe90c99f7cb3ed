import type { CallInput, CallName } from '#contract/calls.ts'
import { act } from '../api/call.ts'
import { toCallError } from '../api/post.ts'
import { problemText } from '../components/message.tsx'
import { useT } from '../platform/i18n.ts'
import { toast, toastFailure } from '../platform/toasts.ts'

/** Returns a function that says what was done, and offers to undo it by the call `name`. */
export function useUndoable() {
  const t = useT()
  return <Name extends CallName>(done: string, name: Name, inverse: CallInput<Name>) => {
    async function undo() {
      try {
        await act(name, inverse)
        toast(t('toasts.undone'))
      } catch (error) {
        toastFailure(t('toasts.notUndone'), problemText(toCallError(error), t))
      }
    }
    toast(done, { label: t('toasts.undo'), onSelect: () => void undo() })
  }
}

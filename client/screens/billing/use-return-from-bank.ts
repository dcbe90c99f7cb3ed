import { useEffect, useRef, useState } from 'react'
import { CallError } from '../../api/post.ts'
import { mayHaveArrived } from '../../api/use-action.ts'
import { useQuery } from '../../components/use-query.ts'
import { loadPaymentScreens } from '../../providers/payments/payments.ts'

/** In the address to return to: the card is to pay from now on. */
export const returnMark = 'default'
const told = ['setup_intent', 'setup_intent_client_secret', 'redirect_status', returnMark]

/**
 * A bank that asked on a page of its own comes back here. Finds out how that ended, and takes it out of the address. `retry` is there
 * when the answer could not be had.
 */
export function useReturnFromBank(
  onAdded: (paymentMethodId: string, isToPay: boolean) => Promise<void>,
) {
  const [params, change] = useQuery()
  const [returned] = useState(() => ({
    clientSecret: params.get('setup_intent_client_secret'),
    isToPay: params.has(returnMark),
  }))
  const [state, setState] = useState<{ busy: boolean; error?: CallError }>({
    busy: returned.clientSecret !== null,
  })
  const begun = useRef(false)

  useEffect(() => {
    if (begun.current || returned.clientSecret === null) return
    // Effects run twice while developing; the card is added once.
    begun.current = true
    change((params) => told.forEach((name) => params.delete(name)))
    void finish()
  })

  async function finish() {
    setState({ busy: true })
    try {
      const { finishSetup } = await loadPaymentScreens().catch(() => {
        throw new CallError('network')
      })
      const card = await finishSetup(returned.clientSecret!)
      setState({ busy: false })
      await onAdded(card, returned.isToPay)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setState({ busy: false, error })
    }
  }

  return {
    ...state,
    retry: state.error && mayHaveArrived.has(state.error.reason) ? () => void finish() : undefined,
  }
}

import { useEffect, useRef, useState } from 'react'
import { CallError } from '../../api/post.ts'
import { mayHaveArrived } from '../../api/call.ts'
import { useQuery } from '../../components/use-query.ts'
import { loadPaymentScreens } from '../../providers/payments/payments.ts'

/** In the address, it says that the new card becomes the default one. */
export const returnMark = 'default'
const told = ['setup_intent', 'setup_intent_client_secret', 'redirect_status', returnMark]

/**
 * Finishes a card after the bank's own page has led back here, and clears the address. There is a
 * `retry` when the answer was lost.
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
    // In development, effects run twice.
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

import { useState, type ReactNode } from 'react'
import { act } from '../../api/call.ts'
import { CallError } from '../../api/post.ts'
import { loadPaymentScreens } from '../../providers/payments/payments.ts'

/** Turns the bank's question into a promise. The caller draws `question`. */
export function useChallenge() {
  const [question, setQuestion] = useState<ReactNode>(null)

  /** Lets the bank ask, then completes the payment. Throws a CallError. */
  async function settle(subscriptionId: string, clientSecret: string | undefined) {
    if (clientSecret === undefined) return undefined
    const { Challenge } = await loadPaymentScreens().catch(() => {
      throw new CallError('network')
    })
    await new Promise<void>((resolve) =>
      setQuestion(<Challenge clientSecret={clientSecret} onEnd={resolve} />),
    )
    setQuestion(null)
    return act('completePayment', { subscriptionId })
  }

  return { question, settle }
}

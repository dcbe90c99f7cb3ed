import { useState, type ReactNode } from 'react'
import { act } from '../../api/call.ts'
import { CallError } from '../../api/post.ts'
import { loadPaymentScreens } from '../../providers/payments/payments.ts'

/** The bank's question as something to wait for. `question` is to be drawn. */
export function useChallenge() {
  const [question, setQuestion] = useState<ReactNode>(null)

  /** Lets the bank ask if it wants to, and then finds out whether the payment came. Refused as a CallError. */
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

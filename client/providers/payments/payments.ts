import { useEffect, useState } from 'react'
import { insist } from '../../api/call.ts'
import { CallError } from '../../api/post.ts'
import { runtime } from '../../platform/runtime.ts'
import type { PaymentScreens } from './payment-screens.ts'

export async function loadPaymentScreens(): Promise<PaymentScreens> {
  try {
    return await (runtime.stripePublishableKey ? import('./stripe.tsx') : import('./sandbox.tsx'))
  } catch {
    throw new CallError('network')
  }
}

/** The parts of our screens that the payment provider supplies, undefined while they load. */
export function usePaymentScreens() {
  const [screens, setScreens] = useState<PaymentScreens>()
  useEffect(() => {
    loadPaymentScreens().then(setScreens, (error) =>
      setScreens(() => {
        throw error
      }),
    )
  }, [])
  return screens
}

/** Lets the bank ask the buyer if it wants to. Returns whether it still processes the payment. */
export async function settle(
  subscriptionId: string,
  { clientSecret, processing = false }: { clientSecret?: string; processing?: boolean },
) {
  if (clientSecret === undefined) return processing
  const { challenge } = await loadPaymentScreens()
  const unasked = await challenge(clientSecret).catch((error: unknown) => error)
  const completed = await insist('completePayment', { subscriptionId }).catch(
    (error: CallError) => {
      throw unasked && error.reason === 'paymentIncomplete' ? unasked : error
    },
  )
  return processing || completed.processing === true
}

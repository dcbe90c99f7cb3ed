import { useEffect, useState } from 'react'
import { runtime } from '../../runtime.ts'
import type { PaymentScreens } from './payment-screens.ts'

export async function loadPaymentScreens(): Promise<PaymentScreens> {
  return runtime.stripePublishableKey ? import('./stripe.tsx') : import('./sandbox.tsx')
}

/** Undefined while they load. */
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

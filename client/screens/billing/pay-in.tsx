import type { Plan } from '#config/plans.ts'
import { currencyOfCountry } from '#contract/currency-of-country.ts'
import { priceWords } from '#contract/price-words.ts'
import { currenciesOf, nearestPrice, pricesOf, type Price } from '#contract/prices.ts'
import { Button } from '../../components/button.tsx'
import { LiveRegion, Message } from '../../components/message.tsx'
import { useQuery } from '../../components/use-query.ts'
import { focusMain } from '../../platform/focus-main.ts'
import { useT } from '../../platform/i18n.ts'

type PayInProps = { plan: Plan; price: Price; country: string | undefined }

/** Asks once whether to pay in the currency of the payer's country. The answer is in the URL. */
export function PayIn({ plan, price, country }: PayInProps) {
  const t = useT()
  const [query, change] = useQuery()
  const own = country && currencyOfCountry(country, pricesOf(plan).flatMap(currenciesOf))
  const isAsked = own && own !== price.currency && !query.has('currency')

  function answer(currency: string) {
    change((query) => query.set('currency', currency))
    // The buttons disappear.
    focusMain()
  }

  return (
    <LiveRegion>
      {isAsked && (
        <Message
          tone="neutral"
          title={t('billing.payIn.title', { currency: own.toUpperCase() })}
          action={
            <div className="flex flex-wrap gap-2">
              <Button onClick={() => answer(own)}>
                {t('billing.payIn.yes', { currency: own.toUpperCase() })}
              </Button>
              <Button onClick={() => answer(price.currency)}>
                {t('billing.payIn.no', { currency: price.currency.toUpperCase() })}
              </Button>
            </div>
          }
        >
          {t('billing.payIn.text', {
            plan: t(plan.titleKey),
            price: priceWords(nearestPrice(plan, price, own), t),
          })}
        </Message>
      )}
    </LiveRegion>
  )
}

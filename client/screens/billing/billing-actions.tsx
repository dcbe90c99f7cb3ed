import type { ProjectPathName } from '#contract/paths.ts'
import { useCall } from '../../api/queries.tsx'
import { useSession } from '../../api/use-session.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { cardName, defaultOf, expiry } from './card-words.ts'
import { useBillingAccess } from './use-billing-access.ts'

/** How things stand now: null while that loads, undefined where there is nothing to show. */
type Fact = string | null | undefined
type Row = { screen: ProjectPathName; words: keyof typeof hints; fact: Fact }

const hints = {
  manageCards: 'billing.overview.manageCardsHint',
  updateDetails: 'billing.overview.updateDetailsHint',
  transfer: 'billing.overview.transferHint',
} as const

/** What the owner may do, and how things stand. Everybody else reads once why they may not. */
export function BillingActions({ reasonId }: { reasonId: string }) {
  const t = useT()
  const reason = useBillingAccess()
  const isOpen = reason === undefined
  const facts = useFacts(isOpen)
  const rows: Row[] = [
    { screen: 'managePaymentMethods', words: 'manageCards', fact: facts.card },
    { screen: 'updateBillingDetails', words: 'updateDetails', fact: facts.details },
    { screen: 'transferOwnership', words: 'transfer', fact: facts.owner },
  ]
  return (
    <Card title={t('billing.overview.manage')} className="print:hidden" flush>
      <fieldset
        className="min-w-0"
        aria-label={t('billing.overview.manage')}
        aria-describedby={reason && reasonId}
      >
        {reason && reason !== 'subscriptionCanceled' && (
          <p
            id={reasonId}
            className="border-b border-line bg-sunken px-4 py-3 font-medium text-soft sm:px-5"
          >
            {t(`errors.${reason}`)}
          </p>
        )}
        <ul className="divide-y divide-line">
          {rows.map((row) => (
            <ActionRow key={row.screen} {...row} isOpen={isOpen} />
          ))}
        </ul>
      </fieldset>
    </Card>
  )
}

function ActionRow({ screen, words, fact, isOpen }: Row & { isOpen: boolean }) {
  const t = useT()
  const { pathTo } = useProject()
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1 basis-64">
        {fact === null && <Skeleton className="grid h-5 content-evenly" bones={['h-3.5 w-36']} />}
        {fact && <p className="font-medium wrap-anywhere">{fact}</p>}
        <p className={fact === undefined ? 'text-soft' : 'text-small text-soft'}>
          {t(hints[words])}
        </p>
      </div>
      <ButtonLink to={pathTo(screen)} disabled={!isOpen} className="max-sm:w-full sm:min-w-64">
        {t(`billing.overview.${words}`)}
      </ButtonLink>
    </li>
  )
}

function useFacts(enabled: boolean): Record<'card' | 'details' | 'owner', Fact> {
  const t = useT()
  const { user } = useSession()
  const { subscriptionId } = useProject()
  const cards = useCall('getPaymentMethods', { subscriptionId }, { enabled })
  const details = useCall('getBillingDetails', { subscriptionId }, { enabled })
  if (!enabled) return { card: undefined, details: undefined, owner: undefined }

  function cardFact() {
    if (!cards.data) return cards.error ? undefined : null
    const card = defaultOf(cards.data)?.card
    return card
      ? t('billing.overview.card', { card: cardName(card), expiry: expiry(card) })
      : t('billing.cards.emptyTitle')
  }

  function detailsFact() {
    if (!details.data) return details.error ? undefined : null
    const { name, address } = details.data
    return (
      [name, address.line1, address.city].filter(Boolean).join(', ') ||
      t('billing.overview.noDetails')
    )
  }

  return { card: cardFact(), details: detailsFact(), owner: user.displayName }
}

import type { ProjectPathName } from '#contract/paths.ts'
import type { MessageKey } from '#locales/keys.ts'
import { useCall } from '../../api/queries.tsx'
import { useSession } from '../../api/use-session.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Bone, Skeleton } from '../../components/skeleton.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { cardName, expiry } from './card-words.ts'
import { useBillingAccess } from './use-billing-access.ts'

type Action = { name: ProjectPathName; label: MessageKey; hint: MessageKey; fact: Fact }
/** How it stands now: null while that is on its way, and nothing where it is not for the reader or can't be had. */
type Fact = string | null | undefined

/** What the owner may do, and how it stands. Everybody else reads why not, once for all of it. */
export function BillingActions({ reasonId }: { reasonId: string }) {
  const t = useT()
  const reason = useBillingAccess()
  const facts = useFacts(reason === undefined)
  const actions: Action[] = [
    {
      name: 'managePaymentMethods',
      label: 'billing.overview.manageCards',
      hint: 'billing.overview.manageCardsHint',
      fact: facts.card,
    },
    {
      name: 'updateBillingDetails',
      label: 'billing.overview.updateDetails',
      hint: 'billing.overview.updateDetailsHint',
      fact: facts.details,
    },
    {
      name: 'transferOwnership',
      label: 'billing.overview.transfer',
      hint: 'billing.overview.transferHint',
      fact: facts.owner,
    },
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
          {actions.map((action) => (
            <ActionRow key={action.name} {...action} isOpen={reason === undefined} />
          ))}
        </ul>
      </fieldset>
    </Card>
  )
}

function ActionRow({ name, label, hint, fact, isOpen }: Action & { isOpen: boolean }) {
  const t = useT()
  const { pathTo } = useProject()
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1 basis-64">
        {fact === null && (
          <Skeleton className="grid h-5 content-evenly">
            <Bone className="h-3.5 w-36" />
          </Skeleton>
        )}
        {fact && <p className="font-medium wrap-anywhere">{fact}</p>}
        <p className={fact === undefined ? 'text-soft' : 'text-small text-soft'}>{t(hint)}</p>
      </div>
      <ButtonLink to={pathTo(name)} disabled={!isOpen} className="max-sm:w-full sm:min-w-64">
        {t(label)}
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
    const card = cards.data.paymentMethods.find(({ isDefault }) => isDefault)?.card
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

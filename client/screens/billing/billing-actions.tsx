import { whyNot } from '#contract/access.ts'
import type { ProjectPathName } from '#contract/paths.ts'
import { useCall } from '../../api/queries.tsx'
import { useSession } from '../../api/session.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { cardName, defaultOf, expiry } from './card-words.ts'

/** The owner's billing screens and their current state. Others read once why they are closed. */
export function BillingActions() {
  const t = useT()
  const { user } = useSession()
  const { subscriptionId } = useProject()
  const { reason, isOpen, describedBy } = useBillingAccess()
  const cards = useCall('getPaymentMethods', { subscriptionId }, { enabled: isOpen })
  const details = useCall('getBillingDetails', { subscriptionId }, { enabled: isOpen })
  const card = defaultOf(cards.data)?.card
  const cardFact = card
    ? t('billing.overview.card', { card: cardName(card), expiry: expiry(card) })
    : t('billing.cards.emptyTitle')
  const { name, address } = details.data ?? {}
  const detailsFact = [name, address?.line1, address?.city].filter(Boolean).join(', ')
  return (
    <Card title={t('billing.overview.manage')} className="print:hidden" flush>
      <fieldset
        className="min-w-0"
        aria-label={t('billing.overview.manage')}
        aria-describedby={describedBy}
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
          <ActionRow
            screen="managePaymentMethods"
            words="manageCards"
            read={cards}
            fact={cardFact}
          />
          <ActionRow
            screen="updateBillingDetails"
            words="updateDetails"
            read={details}
            fact={detailsFact || t('billing.overview.noDetails')}
          />
          <ActionRow screen="transferOwnership" words="transfer" fact={user.displayName} />
        </ul>
      </fieldset>
    </Card>
  )
}

type ActionRowProps = {
  screen: ProjectPathName
  words: 'manageCards' | 'updateDetails' | 'transfer'
  /** The reading call whose answer `fact` describes. */
  read?: { data: unknown; error: unknown }
  /** The current state, such as the default card. Only the owner sees it. */
  fact: string
}

function ActionRow({ screen, words, read, fact }: ActionRowProps) {
  const t = useT()
  const { pathTo } = useProject()
  const { isOpen } = useBillingAccess()
  const isKnown = isOpen && (!read || read.data !== undefined)
  const isLoading = isOpen && !isKnown && !read?.error
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-inset py-3">
      <div className="min-w-0 flex-1 basis-64">
        {isLoading && <Skeleton className="grid h-5 content-evenly" bones={['h-3.5 w-36']} />}
        {isKnown && fact && <p className="font-medium wrap-anywhere">{fact}</p>}
        <p className={isKnown || isLoading ? 'text-small text-soft' : 'text-soft'}>
          {t(`billing.overview.${words}Hint`)}
        </p>
      </div>
      <ButtonLink to={pathTo(screen)} disabled={!isOpen} className="max-sm:w-full sm:min-w-64">
        {t(`billing.overview.${words}`)}
      </ButtonLink>
    </li>
  )
}

export function CancelCard() {
  const t = useT()
  const { pathTo } = useProject()
  const { isOpen, describedBy } = useBillingAccess()
  return (
    <Card title={t('billing.cancel.title')} className="print:hidden">
      <fieldset
        aria-label={t('billing.cancel.title')}
        aria-describedby={describedBy}
        className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-3"
      >
        <p className="min-w-0 flex-1 basis-64 text-soft">{t('billing.cancel.hint')}</p>
        <ButtonLink
          variant="danger"
          to={pathTo('cancelSubscription')}
          disabled={!isOpen}
          className="max-sm:w-full"
        >
          {t('billing.cancel.title')}
        </ButtonLink>
      </fieldset>
    </Card>
  )
}

/** The id of the element that says why the user can't change the billing. */
export const reasonId = 'billing-reason'

/** Why the user can't change the billing, or undefined. In a canceled project, nobody can. */
export function useBillingAccess() {
  const { user } = useSession()
  const { subscription, isActive } = useProject()
  const reason = isActive
    ? whyNot({ needs: 'owner' }, user.uid, subscription)
    : ('subscriptionCanceled' as const)
  return { reason, isOpen: reason === undefined, describedBy: reason && reasonId }
}

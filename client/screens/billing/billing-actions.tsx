import { whyNot } from '#contract/access.ts'
import { addressOrder } from '#contract/address.ts'
import type { ProjectPathName } from '#contract/paths.ts'
import { cancelTiming } from '#contract/timing.ts'
import type { MessageKey } from '#locales/keys.ts'
import type { ProjectBilling, TaxId } from '#contract/entities.ts'
import { taxIdName } from '#contract/tax-ids.ts'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CallError } from '../../api/post.ts'
import { useCall } from '../../api/queries.ts'
import { Breakable } from '../../components/breakable.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { Badge, Card } from '../../components/card.tsx'
import { CardMark } from '../../components/card-mark.tsx'
import { classes } from '../../components/classes.ts'
import { Problem } from '../../components/message.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { firstPage } from '../../components/use-query.ts'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { cardName, defaultOf, expiry } from './card-words.ts'
import { useOwed } from './use-owed.ts'

/** The facts about the billing, each with the owner's action. Others read once who may act. */
export function BillingActions() {
  const t = useT()
  const { user, subscriptionId, isAdmin, isOwner, owner: named } = useProject()
  const { reason, isOpen, describedBy } = useBillingAccess()
  const cards = useCall('getPaymentMethods', { subscriptionId }, { enabled: isOpen })
  const details = useCall('getBillingDetails', { subscriptionId }, { enabled: isOpen })
  const page = { subscriptionId, ...firstPage }
  const people = useCall('getSubscriptionUsers', page, { enabled: isAdmin && !isOwner })
  const { declined } = useOwed()
  const card = defaultOf(cards.data)
  const owner = people.data?.users.find(({ is_owner }) => is_owner)
  return (
    <Card className="print:hidden" flush>
      <fieldset
        className="min-w-0"
        aria-label={t('billing.overview.manage')}
        aria-describedby={describedBy}
      >
        {reason && (
          <p
            id={reasonId}
            className="border-b border-line bg-sunken px-inset py-3 font-medium text-soft"
          >
            {t(`errors.${reason}`)}
          </p>
        )}
        <dl className="divide-y divide-line">
          <Fact name="cardFact" screen="managePaymentMethods" action="manageCards" read={cards}>
            {card ? (
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <CardMark brand={card.card.brand} />
                {t('billing.overview.card', {
                  card: cardName(card.card),
                  expiry: expiry(card.card),
                })}
                {card.id === declined?.id && (
                  <Badge tone="warn">{t('billing.overdue.cardDeclined')}</Badge>
                )}
              </span>
            ) : (
              t('billing.cards.emptyTitle')
            )}
            {card?.added_by && card.added_by.id !== user.uid && (
              <Note>{t('billing.cards.addedBy', { name: card.added_by.name })}</Note>
            )}
          </Fact>
          <Fact
            name="detailsFact"
            screen="updateBillingDetails"
            action="updateDetails"
            read={details}
          >
            {(details.data && payerOf(details.data)) || t('billing.overview.noDetails')}
            {details.data?.tax_id && <Note>{taxIdText(details.data.tax_id)}</Note>}
          </Fact>
          <Fact
            name="ownerFact"
            screen="transferOwnership"
            action="transfer"
            read={isAdmin && !isOwner ? people : known}
            isPublic
          >
            {isOwner && t('billing.overview.youOwn')}
            {!isOwner && owner && (
              <>
                <Breakable text={owner.display_name || owner.email} />
                {owner.display_name && (
                  <Note>
                    <Breakable text={owner.email} />
                  </Note>
                )}
              </>
            )}
            {!isAdmin && named && <Breakable text={named.name} />}
            {isAdmin && !isOwner && !owner && t('billing.overview.transferHint')}
          </Fact>
        </dl>
      </fieldset>
    </Card>
  )
}

/** A fact that came with the project. */
const known = { data: true, error: null }

function Note({ children }: { children: ReactNode }) {
  return <span className="block text-small font-normal text-soft">{children}</span>
}

type FactProps = {
  name: 'cardFact' | 'detailsFact' | 'ownerFact'
  screen: ProjectPathName
  action: 'manageCards' | 'updateDetails' | 'transfer'
  /** The reading call whose answer `children` describe. */
  read: { data: unknown; error: CallError | null; refetch?: () => unknown }
  /** Whether administrators see the fact, too. */
  isPublic?: boolean
  children: ReactNode
}

function Fact({ name, screen, action, read, isPublic = false, children }: FactProps) {
  const t = useT()
  const { pathTo } = useProject()
  const { isOpen } = useBillingAccess()
  const isShown = isOpen || isPublic
  const isLoading = isShown && read.data === undefined && !read.error
  const error = isOpen && read.data === undefined ? read.error : null
  const failed = name === 'cardFact' ? 'billing.cards.loadFailed' : 'billing.details.loadFailed'
  return (
    <div className="grid grid-cols-1 items-center gap-x-4 gap-y-1 px-inset py-3 min-[30rem]:grid-cols-[minmax(0,1fr)_auto] sm:grid-cols-[8rem_minmax(0,1fr)_auto] print:hidden">
      <dt className="text-soft">{t(`billing.overview.${name}`)}</dt>
      <dd
        className={classes(
          'grid grid-cols-1 content-center wrap-break-word sm:min-h-10.5',
          !error && 'font-medium',
        )}
      >
        {isLoading && <Skeleton className="grid h-5.25 content-center" bones={['h-3.5 w-48']} />}
        {isShown && read.data !== undefined && children}
        {error && <Problem error={error} failed={failed} retry={read.refetch} />}
        {!error && (!isShown || (!isLoading && read.data === undefined)) && (
          <span className="font-normal text-soft">{t(`billing.overview.${action}Hint`)}</span>
        )}
      </dd>
      <dd className="mt-1 min-[30rem]:col-start-2 min-[30rem]:mt-0 min-[30rem]:row-span-2 min-[30rem]:row-start-1 sm:col-start-3 sm:row-span-1">
        <ButtonLink to={pathTo(screen)} disabled={!isOpen} className="w-full">
          {t(`billing.overview.${action}`)}
        </ButtonLink>
      </dd>
    </div>
  )
}

const actions: readonly MessageKey[] = [
  'billing.overview.changePlan',
  'billing.overview.manageCards',
  'billing.overview.updateDetails',
  'billing.overview.transfer',
  'billing.cancel.title',
]

/** What the owner could do before the project was canceled, disabled, and why. */
export function FormerActions() {
  const t = useT()
  const { pathTo } = useProject()
  return (
    <Card title={t('billing.overview.manage')} className="print:hidden" flush>
      <p id={reasonId} className="px-inset pt-4 pb-2 text-soft">
        {t('billing.overview.former')}
      </p>
      <fieldset
        aria-label={t('billing.overview.manage')}
        aria-describedby={reasonId}
        className="grid min-w-0 pb-2"
      >
        {actions.map((action) => (
          <ButtonLink
            key={action}
            to={pathTo('billing')}
            variant="quiet"
            icon={<Lock />}
            className="justify-start! px-inset!"
            disabled
          >
            {t(action)}
          </ButtonLink>
        ))}
      </fieldset>
    </Card>
  )
}

const hints = {
  now: 'billing.cancel.hint',
  atPeriodEnd: 'billing.cancel.hintLater',
  choice: 'billing.cancel.hintChoice',
} as const

export function CancelCard() {
  const t = useT()
  const format = useFormat()
  const { subscription, pathTo } = useProject()
  const { renews, ends_by: endsBy } = subscription
  const { isOpen, describedBy } = useBillingAccess()
  const isSet = isOpen && endsBy === 'owner'
  const date = renews === null ? '' : format.billingDate(renews)
  return (
    <Card title={t('billing.cancel.title')} className="print:hidden">
      <fieldset
        aria-label={t('billing.cancel.title')}
        aria-describedby={describedBy}
        className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-3"
      >
        <p className="min-w-0 flex-1 basis-64 text-soft">
          {t(isSet ? 'billing.cancel.hintSet' : hints[cancelTiming(subscription)], { date })}
        </p>
        <ButtonLink
          variant={isOpen ? 'danger' : 'plain'}
          to={pathTo('cancelSubscription')}
          disabled={!isOpen}
          className="max-sm:w-full"
        >
          {t(isSet ? 'billing.cancel.endNow' : 'billing.cancel.title')}
        </ButtonLink>
      </fieldset>
    </Card>
  )
}

/** The id of the element that says why the user can't change the billing. */
const reasonId = 'billing-reason'

/** Why the user can't change the billing, or undefined. In a canceled project, nobody can. */
export function useBillingAccess() {
  const { user, subscription, isActive } = useProject()
  const reason = isActive
    ? whyNot({ needs: 'owner' }, user.uid, subscription)
    : ('subscriptionCanceled' as const)
  return { reason, isOpen: reason === undefined, describedBy: reason && reasonId }
}

/** `Ann Archer · 1 Main Street · Springfield IL 62701`, or empty if nothing was filled in. */
function payerOf({ name, address }: ProjectBilling) {
  const order = addressOrder(address.country ?? '')
  const town = order.flatMap((part) => (part.startsWith('line') ? [] : address[part] || []))
  const lines = [address.line1, address.line2]
  const parts = order[0] === 'line1' ? [...lines, town.join(' ')] : [town.join(' '), ...lines]
  return [name, ...parts].filter(Boolean).join(' · ')
}

/** `EU VAT number DE123456789` */
function taxIdText({ type, value }: TaxId) {
  return `${taxIdName(type)} ${value}`
}

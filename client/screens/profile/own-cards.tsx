import type { OwnPaymentMethod } from '#contract/entities.ts'
import { projectPath } from '#contract/paths.ts'
import { findPlan } from '#contract/access.ts'
import { nextCharge } from '#contract/next-charge.ts'
import { priceWords } from '#contract/price-words.ts'
import type { Price } from '#contract/prices.ts'
import { useId, useRef, useState } from 'react'
import { awaitReload, useCall } from '../../api/queries.ts'
import { Badge, Card } from '../../components/card.tsx'
import { Button, ButtonLink, TextLink } from '../../components/button.tsx'
import { CardMark } from '../../components/card-mark.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { FoldedList } from '../../components/folded-list.tsx'
import { useT } from '../../platform/i18n.ts'
import { CardLife } from '../billing/card-life.tsx'
import { cardName } from '../billing/card-words.ts'
import { useSession } from '../../api/session.ts'
import { projectTitle } from '../../layouts/use-project.ts'
import { useFormat } from '../../platform/format.ts'
import { ownPrice } from '../billing/plans.ts'
import { PaymentBadge } from '../subscriptions/status-badge.tsx'

/** The cards that the user added to projects, including those that they left or that have ended. */
export function OwnCards() {
  const t = useT()
  const found = useCall('listOwnPaymentMethods', {})
  const [removing, setRemoving] = useState<OwnPaymentMethod>()
  const list = useRef<HTMLUListElement>(null)
  const cards = found.data?.paymentMethods
  const isEmpty = cards?.length === 0

  function removal(method: OwnPaymentMethod) {
    const card = cardName(method.card)
    const project = method.subscription_name || t('common.untitledProject')
    const text = method.pays_plan ? 'profile.cards.removePays' : 'profile.cards.removeText'
    return (
      <ConfirmDialog
        call="deleteOwnPaymentMethod"
        title={t('profile.cards.removeTitle', { card })}
        input={() => ({ subscriptionId: method.subscription_id, paymentMethodId: method.id })}
        submit="profile.cards.remove"
        failed="profile.cards.removeFailed"
        reasons={{ paymentMethodNotFound: 'billing.cards.gone' }}
        onDone={() => awaitReload(found.refetch)}
        said={t('profile.cards.removed', { card, project })}
        focus={list}
        onClose={() => setRemoving(undefined)}
      >
        <p className="text-soft wrap-anywhere">{t(text, { project })}</p>
      </ConfirmDialog>
    )
  }

  return (
    <Card title={t('profile.cards.title')} flush>
      {!isEmpty && <p className="px-inset py-3 text-soft">{t('profile.cards.intro')}</p>}
      <FoldedList
        ref={list}
        title={t('profile.cards.title')}
        found={found}
        failed="profile.cards.loadFailed"
        rows={cards}
        empty={t('profile.cards.empty')}
        isFirst={isEmpty}
      >
        {(method) => (
          <OwnCard key={method.id} method={method} onRemove={() => setRemoving(method)} />
        )}
      </FoldedList>
      {removing && removal(removing)}
    </Card>
  )
}

function OwnCard({ method, onRemove }: { method: OwnPaymentMethod; onRemove: () => void }) {
  const t = useT()
  const whereId = useId()
  const { data } = useCall('listSubscriptions', {})
  const { card, standing, subscription_id: id } = method
  const paysFor = method.isDefault && data?.subscriptions.find((project) => project.id === id)
  const name = cardName(card)
  const project = method.subscription_name || t('common.untitledProject')
  const where = t(method.pays_plan ? 'profile.cards.pays' : 'profile.cards.saved', { project })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-inset py-3">
      <div className="flex min-w-0 flex-1 basis-44 items-center gap-3">
        <CardMark brand={card.brand} />
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-strong tabular-nums">
            {name}
            {method.isDefault && <Badge tone="accent">{t('billing.cards.default')}</Badge>}
            {paysFor && <PaymentBadge project={paysFor} />}
          </p>
          <p id={whereId} className="text-small wrap-anywhere">
            {standing ? (
              <TextLink to={projectPath('subscription', id)} className="touch-target relative">
                {where}
              </TextLink>
            ) : (
              <span className="text-soft">{where}</span>
            )}
          </p>
          <CardLife card={card} />
        </div>
      </div>
      {standing === 'owner' && method.pays_plan ? (
        <ButtonLink
          to={projectPath('managePaymentMethods', id)}
          aria-describedby={whereId}
          className="ms-auto"
        >
          {t('profile.cards.manage')}
        </ButtonLink>
      ) : (
        <Button
          aria-label={t('profile.cards.removeOf', { card: name, project })}
          onClick={onRemove}
          className="ms-auto"
        >
          {t('profile.cards.remove')}
        </Button>
      )}
    </li>
  )
}

/** What the user's own projects cost, before tax, credit and discounts. Nothing without any. */
export function OwnCosts() {
  const t = useT()
  const format = useFormat()
  const { user } = useSession()
  const { data } = useCall('listSubscriptions', {})
  const paid = (data?.subscriptions ?? []).flatMap((project) => {
    const plan = findPlan(project.plan_id)
    const next = nextCharge(project)
    if (project.owner_id !== user.uid || !plan || next === undefined) return []
    return { project, next, price: ownPrice(project, plan) }
  })
  if (paid.length === 0) return null
  return (
    <Card title={t('profile.costs.title')} flush>
      <ul className="divide-y divide-line">
        {paid.map(({ project, next, price }) => (
          <li
            key={project.id}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 px-inset py-3"
          >
            <TextLink to={projectPath('billing', project.id)} className="wrap-anywhere">
              {projectTitle(project, t)}
            </TextLink>
            <span className="tabular-nums">{priceWords(price, t)}</span>
            {project.payment === 'ok' ? (
              <span className="text-small text-soft tabular-nums">{format.billingDate(next)}</span>
            ) : (
              <span>
                <PaymentBadge project={project} />
              </span>
            )}
          </li>
        ))}
        <li className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-inset py-3 font-strong">
          {t('profile.costs.total')}
          <span className="tabular-nums">
            {format.list(totalsOf(paid.map(({ price }) => price)).map((sum) => priceWords(sum, t)))}
          </span>
        </li>
      </ul>
      <p className="border-t border-line px-inset py-3 text-small text-soft">
        {t('profile.costs.before')}
      </p>
    </Card>
  )
}

/** One sum for each currency and interval. */
function totalsOf(prices: Price[]): Price[] {
  const groups = Object.groupBy(prices, (price) =>
    [price.currency, price.frequency, price.every].join(' '),
  )
  return Object.values(groups).map((group) => ({
    ...group![0]!,
    amount: group!.reduce((sum, { amount }) => sum + amount, 0),
  }))
}

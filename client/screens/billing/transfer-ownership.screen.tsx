import { limits } from '#config/limits.ts'
import { adminPermissions } from '#contract/access.ts'
import type { SubscriptionUser } from '#contract/entities.ts'
import { nextCharge } from '#contract/next-charge.ts'
import { paths } from '#contract/paths.ts'
import { UsersRound } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { useCall, useHolders } from '../../api/queries.ts'
import { ButtonLink } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { EmptyState } from '../../components/card.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { LiveRegion, Message, Problem } from '../../components/message.tsx'
import { NextLink } from '../../components/next-link.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { useTimedReturn } from '../../components/use-go-on.ts'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { returnPath } from '../../platform/return-path.ts'
import { cardName, defaultOf, type Card } from './card-words.ts'
import { isOwnershipOffered } from './ownership-offer.tsx'
import { afterTransfer, ChooseOwner, ChooseOwnerSkeleton } from './choose-owner.tsx'

/** The new owner, and the card that the former owner leaves to the project. */
type Transfer = { to: SubscriptionUser; kept: Card | undefined }

export function TransferOwnership() {
  const t = useT()
  const { subscriptionId, subscription, isOwner, pathTo } = useProject()
  const [chosen, setChosen] = useState<Transfer>()
  const [newOwner, setNewOwner] = useState<SubscriptionUser>()
  const billing = pathTo('billing')
  const back = returnPath(useLocation().search, billing)
  const given = back === paths.deleteAccount ? 'people.owned.transferDone' : 'billing.transfer.done'
  const done = isOwnershipOffered ? 'billing.offer.done' : given
  // Once an owner is chosen, these calls stop: after the transfer, the server may refuse them.
  const isChoosing = !chosen && !newOwner
  const card = useOwnDefaultCard(isChoosing)
  const { data, error, refetch } = useHolders(adminPermissions, subscriptionId, isChoosing)
  const eligible = data?.filter(
    ({ id, status }) => status === 'active' && id !== subscription.owner_id,
  )
  // Leaves only when this tab knows of the transfer: the next screen may make calls for owners.
  useTimedReturn(
    newOwner && (isOwnershipOffered || !isOwner) ? back : undefined,
    limits.screens.returnAfterSave,
  )

  if (eligible?.length === 0 && isChoosing) return <NobodyEligible />
  return (
    <FormPage title="billing.transfer.title">
      <LiveRegion>
        {newOwner && (
          <Message tone="good" action={<NextLink to={back} />}>
            {t(done, { name: newOwner.display_name || newOwner.email })}
          </Message>
        )}
      </LiveRegion>
      {!newOwner && eligible && (
        <ChooseOwner
          {...{ eligible, card }}
          onChoose={(to, kept) => setChosen({ to, kept })}
          cancel={back}
        />
      )}
      {!newOwner && !eligible && (
        <>
          <Problem error={error} failed="billing.transfer.loadFailed" retry={refetch} />
          {!error && <ChooseOwnerSkeleton />}
        </>
      )}
      {chosen && (
        <ConfirmTransfer
          {...chosen}
          onDone={() => setNewOwner(chosen.to)}
          onClose={() => setChosen(undefined)}
        />
      )}
    </FormPage>
  )
}

/** The default card, unless a former owner added it: the owner may not leave that one behind. */
function useOwnDefaultCard(isReading: boolean) {
  const { user, subscriptionId, plan } = useProject()
  const { data } = useCall(
    'getPaymentMethods',
    { subscriptionId },
    { enabled: isReading && !plan.free },
  )
  const method = plan.free ? undefined : defaultOf(data)
  return method && (method.added_by === null || method.added_by.id === user.uid)
    ? method.card
    : undefined
}

type ConfirmTransferProps = Transfer & { onDone: () => void; onClose: () => void }

function ConfirmTransfer({ to, kept, onDone, onClose }: ConfirmTransferProps) {
  const t = useT()
  const format = useFormat()
  const { subscriptionId, subscription, name: project } = useProject()
  const { id: newOwnerId, email } = to
  const at = nextCharge(afterTransfer(subscription))
  const name = to.display_name || email
  const act = isOwnershipOffered ? 'offer' : 'transfer'
  return (
    <ConfirmDialog
      call="transferSubscriptionOwnership"
      title={t(`billing.${act}.confirmTitle`, { name })}
      input={() => ({ subscriptionId, newOwnerId, keepCard: kept !== undefined })}
      submit={`billing.${act}.submit`}
      danger={false}
      failed="billing.transfer.failed"
      reasons={{
        tooManyProjects: 'billing.transfer.tooManyProjects',
        factorRequired: 'billing.transfer.factorRequired',
      }}
      onDone={() => {
        onDone()
        return ''
      }}
      onClose={onClose}
    >
      <p className="text-soft wrap-anywhere">
        {t(`billing.${act}.confirm`, { name, email, project })}
      </p>
      {at !== undefined && !isOwnershipOffered && (
        <p className="font-medium wrap-anywhere">
          {kept
            ? t('billing.transfer.confirmStays', { card: cardName(kept), name })
            : t('billing.transfer.confirmGone', { name, date: format.billingDate(at) })}
        </p>
      )}
    </ConfirmDialog>
  )
}

function NobodyEligible() {
  const t = useT()
  const { pathTo } = useProject()
  return (
    <div className="grid max-w-form gap-5">
      <PageTitle title={t('billing.transfer.title')} />
      <EmptyState
        icon={<UsersRound />}
        title={t('billing.transfer.nobodyTitle')}
        action={
          <ButtonLink to={pathTo('users')} variant="primary">
            {t('billing.transfer.toUsers')}
          </ButtonLink>
        }
      >
        {t('billing.transfer.nobody')}
      </EmptyState>
    </div>
  )
}

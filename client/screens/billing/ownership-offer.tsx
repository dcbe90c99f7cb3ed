import { subscriptions } from '#config/subscriptions.ts'
import type { OwnershipOffer } from '#contract/entities.ts'
import { useEffect, useState } from 'react'
import { useAction } from '../../api/call.ts'
import { useCall } from '../../api/queries.ts'
import { Button } from '../../components/button.tsx'
import { LiveRegion, Message, Problem } from '../../components/message.tsx'
import { useGoOn } from '../../components/use-go-on.ts'
import { useProject } from '../../layouts/use-project.ts'
import { sentences, useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'

/** Whether the new owner has to accept. */
export const isOwnershipOffered = subscriptions.ownership === 'offered'

/** The open offer of the project, for its two sides. */
export function OpenOffer() {
  const { user, subscriptionId, isOwner, pathTo } = useProject()
  const goOn = useGoOn()
  const [addsCard, setAddsCard] = useState(false)
  const { data } = useCall('getOwnershipOffer', { subscriptionId })
  const offer = data?.offer
  const addCard = `${pathTo('managePaymentMethods')}?add`

  // Leads there only when this tab knows of the new owner: others may not add a card.
  useEffect(() => {
    if (addsCard && isOwner) goOn(addCard)
  }, [addsCard, isOwner, goOn, addCard])

  return (
    <LiveRegion>
      {offer?.to.id === user.uid && <ToUser {...offer} onAccepted={setAddsCard} />}
      {offer && isOwner && <FromUser {...offer} />}
    </LiveRegion>
  )
}

type ToUserProps = OwnershipOffer & { onAccepted: (lacksCard: boolean) => void }

function ToUser({ keeps_card: keepsCard, expires, onAccepted }: ToUserProps) {
  const t = useT()
  const format = useFormat()
  const { subscriptionId, plan, owner } = useProject()
  const accept = useAction('acceptOwnership')
  const end = useEnd('billing.offer.declined')
  const lacksCard = !plan.free && !keepsCard

  function finish() {
    toast(t('billing.offer.accepted'))
    onAccepted(lacksCard)
  }

  const card = keepsCard ? 'billing.offer.keepsCard' : 'billing.offer.needsCard'
  return (
    <>
      <Message
        tone="neutral"
        title={t('billing.offer.title', { name: owner?.name ?? t('activity.deleted') })}
        action={
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => void end.run()} busy={end.busy} disabled={accept.busy}>
              {t('billing.offer.decline')}
            </Button>
            <Button
              variant="primary"
              onClick={() => void accept.run({ subscriptionId }, finish)}
              busy={accept.busy}
              disabled={end.busy}
            >
              {t(lacksCard ? 'billing.offer.acceptAndAdd' : 'billing.offer.accept')}
            </Button>
          </div>
        }
      >
        {sentences(
          t,
          t('billing.offer.text', { date: format.dateTime(expires) }),
          !plan.free && t(card),
        )}
      </Message>
      <Problem
        error={accept.error ?? end.error}
        failed="billing.offer.failed"
        words={{
          tooManyProjects: 'billing.offer.tooManyProjects',
          factorRequired: 'billing.transfer.factorRequired',
          notEligibleOwner: 'errors.ownershipNotOffered',
        }}
      />
    </>
  )
}

function FromUser({ to: { name }, expires }: OwnershipOffer) {
  const t = useT()
  const format = useFormat()
  const end = useEnd('billing.offer.tookBack')
  return (
    <>
      <Message
        tone="neutral"
        action={
          <Button onClick={() => void end.run()} busy={end.busy}>
            {t('billing.offer.takeBack')}
          </Button>
        }
      >
        {t('billing.offer.open', { name, date: format.dateTime(expires) })}
      </Message>
      <Problem error={end.error} failed="billing.offer.failed" />
    </>
  )
}

function useEnd(done: 'billing.offer.declined' | 'billing.offer.tookBack') {
  const t = useT()
  const { subscriptionId } = useProject()
  const { run, ...end } = useAction('endOwnershipOffer')
  return { ...end, run: () => run({ subscriptionId }, () => toast(t(done))) }
}

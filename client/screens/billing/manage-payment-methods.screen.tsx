import type { PaymentMethod } from '#contract/entities.ts'
import { CreditCard, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { tellOfChange, useAction } from '../../api/call.ts'
import { awaitReload, useCall } from '../../api/queries.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FormActions } from '../../components/call-form.tsx'
import { EmptyState } from '../../components/card.tsx'
import { LiveRegion, Message, Problem } from '../../components/message.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { useGoOn } from '../../components/use-go-on.ts'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { toast } from '../../platform/toasts.ts'
import { AddCard, useReturnFromBank } from './add-card.tsx'
import { cardName } from './card-words.ts'
import { CardTileSkeleton, SavedCard } from './saved-card.tsx'
import { useOwed } from './use-owed.ts'

/** `?add` in the URL opens the form that adds a card. */
export function ManagePaymentMethods() {
  const t = useT()
  const goOn = useGoOn()
  const { subscriptionId, plan, pathTo } = useProject()
  const here = pathTo('managePaymentMethods')
  const isAdding = useSearchParams()[0].has('add')
  const { data, error, refetch } = useCall('getPaymentMethods', { subscriptionId })
  const setDefault = useAction('setDefaultPaymentMethod')
  const { isOwed, declined } = useOwed()
  const [deleting, setDeleting] = useState<PaymentMethod>()
  const cards = useRef<HTMLDivElement>(null)
  const returned = useReturnFromBank(keep)

  const reload = () => awaitReload(refetch)

  /** Runs after a card was added. */
  async function keep(paymentMethodId: string, isToPay: boolean) {
    tellOfChange()
    // The form closes before the new card, which would move it, arrives.
    if (!isOwed) goOn(here)
    const isDone = !isToPay || (await setDefault.run({ subscriptionId, paymentMethodId }))
    if (isOwed) goOn(isDone ? pathTo('billing') : here)
    if (!isDone) return
    await reload()
    say(t(`billing.cards.${isOwed ? 'addedToPay' : isToPay ? 'addedAsDefault' : 'added'}`))
  }

  /** Shows a toast, and focuses the cards, because the pressed button is gone. */
  function say(text: string) {
    toast(text)
    cards.current?.focus({ preventScroll: true })
  }

  const add = (
    <ButtonLink
      to={`${here}?add`}
      variant="primary"
      icon={<Plus />}
      onClick={setDefault.reset}
      disabled={isAdding}
    >
      {t('billing.cards.add')}
    </ButtonLink>
  )
  const isInUse = ({ isDefault }: PaymentMethod) => isDefault && !plan.free
  const isEmpty = data?.paymentMethods.length === 0
  return (
    <>
      <PageTitle title={t('billing.cards.title')} action={(!isEmpty || isAdding) && add} />
      <LiveRegion>
        <Problem error={setDefault.error} failed="billing.cards.defaultFailed" />
        {returned.busy && <Message tone="neutral">{t('billing.cards.asking')}</Message>}
        <Problem error={returned.error} failed="billing.cards.addFailed" retry={returned.retry} />
        <Problem error={error} failed="billing.cards.loadFailed" retry={refetch} />
      </LiveRegion>
      <section
        ref={cards}
        tabIndex={-1}
        aria-label={t('billing.cards.title')}
        className="outline-none"
      >
        {isEmpty && !isAdding && (
          <EmptyState icon={<CreditCard />} title={t('billing.cards.emptyTitle')} action={add}>
            {t(plan.free ? 'billing.cards.emptyFree' : 'billing.cards.emptyPaid')}
          </EmptyState>
        )}
        {!isEmpty && (
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] gap-5">
            {data?.paymentMethods.map((method) => (
              <SavedCard
                key={method.id}
                method={{ ...method, isDeclined: method.id === declined?.id }}
                onStart={setDefault.reset}
                onDefault={(name) => say(t('billing.cards.isDefault', { card: name }))}
                onDelete={() => {
                  setDefault.reset()
                  setDeleting(method)
                }}
              />
            ))}
            {!data && !error && <CardTileSkeleton />}
          </ul>
        )}
      </section>
      {isAdding && <AddCard isToPay={!plan.free} cancel={here} onAdded={keep} />}
      {deleting && isInUse(deleting) && (
        <InUse method={deleting} onClose={() => setDeleting(undefined)} />
      )}
      {deleting && !isInUse(deleting) && (
        <ConfirmDialog
          call="deletePaymentMethod"
          title={t('billing.cards.deleteTitle', { card: cardName(deleting.card) })}
          input={() => ({ subscriptionId, paymentMethodId: deleting.id })}
          submit="billing.cards.delete"
          failed="billing.cards.deleteFailed"
          reasons={{ paymentMethodNotFound: 'billing.cards.gone' }}
          onDone={reload}
          said={t('billing.cards.deleted', { card: cardName(deleting.card) })}
          focus={cards}
          onClose={() => setDeleting(undefined)}
        >
          <p className="text-soft">{t('billing.cards.deleteText')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Says why the card that pays for the plan can't be deleted. */
function InUse({ method, onClose }: { method: PaymentMethod; onClose: () => void }) {
  const t = useT()
  const dialog = useRef<HTMLDialogElement>(null)
  return (
    <Dialog
      ref={dialog}
      title={t('billing.cards.inUseTitle', { card: cardName(method.card) })}
      onClose={onClose}
    >
      <p className="text-soft">{t('errors.defaultPaymentMethod')}</p>
      <div className="mt-5">
        <FormActions>
          <Button size="large" onClick={() => dialog.current?.close()}>
            {t('billing.cards.close')}
          </Button>
          <ButtonLink to="?add" variant="primary" size="large" onClick={onClose}>
            {t('billing.cards.add')}
          </ButtonLink>
        </FormActions>
      </div>
    </Dialog>
  )
}

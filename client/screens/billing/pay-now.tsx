import type { CallOutput } from '#contract/calls.ts'
import { useState } from 'react'
import { tellOfChange } from '../../api/call.ts'
import type { CallError } from '../../api/post.ts'
import { useCall } from '../../api/queries.tsx'
import { CallForm } from '../../components/call-form.tsx'
import { Message } from '../../components/message.tsx'
import { Problem } from '../../components/problem.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { textOf } from '../../components/text-of.ts'
import { useFormat } from '../../format.ts'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { CardChoice } from './card-choice.tsx'
import { useChallenge } from './use-challenge.tsx'

/** Pays what is overdue with the default card or with another one. */
export function PayNow({
  owed,
  onPaid,
}: {
  owed: CallOutput<'previewPayment'>['owed'] | undefined
  onPaid: () => void
}) {
  const t = useT()
  const format = useFormat()
  const { subscriptionId, pathTo } = useProject()
  const { question, settle } = useChallenge()
  const [isProcessing, setProcessing] = useState(false)
  const { data, error, refetch } = useCall('getPaymentMethods', { subscriptionId })

  async function finish({ clientSecret, processing }: CallOutput<'payInvoice'>) {
    const settled = await settle(subscriptionId, clientSecret)
    if (processing || settled?.processing) setProcessing(true)
    else onPaid()
  }

  /** Leaves the default card out, so that a question that its bank has asked goes on. */
  function input(values: FormData) {
    const id = textOf(values, 'paymentMethodId')
    const isDefault = data?.paymentMethods.find((card) => card.id === id)?.isDefault
    return { subscriptionId, ...(!isDefault && { paymentMethodId: id }) }
  }

  if (isProcessing) return <Message tone="neutral">{t('billing.overdue.processing')}</Message>
  const toCards = pathTo('managePaymentMethods')
  if (error && !data)
    return <Problem error={error} failed="billing.cards.loadFailed" retry={refetch} />
  if (!data) return <Skeleton className="grid gap-4" bones={bones} />
  if (data.paymentMethods.length === 0)
    return (
      <p>
        {t('billing.overdue.noCard')} <TextLink to={toCards}>{t('billing.cards.add')}</TextLink>
      </p>
    )
  return (
    <>
      <CallForm
        call="payInvoice"
        input={input}
        onDone={finish}
        onRefused={lookAgain}
        submit={owed ? 'billing.overdue.paySum' : 'billing.overdue.pay'}
        words={owed ? { amount: format.money(owed.due, owed.currency) } : undefined}
        failed="billing.overdue.failed"
      >
        <CardChoice cards={data.paymentMethods} />
        <p>
          <TextLink to={toCards}>{t('billing.overview.addCard')}</TextLink>
        </p>
      </CallForm>
      {question}
    </>
  )
}

/** Somebody paid on another screen. */
function lookAgain({ reason }: CallError) {
  if (reason === 'notOverdue') tellOfChange()
}

const bones = ['h-3.5 w-20', 'h-12', 'h-3.5 w-32', 'ms-auto h-10 w-24']

import { whyNot } from '#contract/access.ts'
import { FileX } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { tellOfChange } from '../../../client/api/call.ts'
import { useCall } from '../../../client/api/queries.ts'
import { useSession } from '../../../client/api/session.ts'
import { Ago } from '../../../client/components/ago.tsx'
import { Button } from '../../../client/components/button.tsx'
import { CallForm } from '../../../client/components/call-form.tsx'
import { Card, EmptyState } from '../../../client/components/card.tsx'
import { ConfirmDialog } from '../../../client/components/confirm-dialog.tsx'
import { TextAreaField, TextField, textOf } from '../../../client/components/fields.tsx'
import { FormDraft } from '../../../client/components/form-draft.tsx'
import { FormPage } from '../../../client/components/form-page.tsx'
import { Message, Problem, problemText } from '../../../client/components/message.tsx'
import { PageTitle } from '../../../client/components/page-title.tsx'
import { FieldBones, Skeleton } from '../../../client/components/skeleton.tsx'
import { useReturn } from '../../../client/components/use-go-on.ts'
import { explainByPlan } from '../../../client/layouts/usage.tsx'
import { useProject } from '../../../client/layouts/use-project.ts'
import { useT } from '../../../client/platform/i18n.ts'
import { toastFailure } from '../../../client/platform/toasts.ts'
import { editors, lengths, type Gadget as Shown } from '../contract.ts'

/** A form for people who may change something. Others read. */
export function GadgetScreen() {
  const t = useT()
  const { user } = useSession()
  const { subscription, subscriptionId } = useProject()
  const id = useSearchParams()[0].get('gadget')
  const input = { subscriptionId, gadgetId: id ?? '' }
  const { data, error, refetch } = useCall('getGadget', input, { enabled: id !== null })
  const mayWrite = !whyNot(editors, user.uid, subscription)
  const isGone = id === null || error?.reason === 'gadgetNotFound'

  if (mayWrite && (id === null || data)) return <Editing key={id} shown={data?.gadget} />
  if (data && !isGone) return <Reading {...data.gadget} />
  return (
    <>
      <PageTitle title={t('gadgets.one')} />
      {isGone ? (
        <EmptyState icon={<FileX />}>{t('errors.gadgetNotFound')}</EmptyState>
      ) : error ? (
        <Problem error={error} failed="gadgets.openFailed" retry={refetch} />
      ) : (
        <Skeleton className="grid max-w-form gap-4">
          <FieldBones count={2} />
        </Skeleton>
      )}
    </>
  )
}

function Reading({ name, note, updated, updated_by }: Shown) {
  const t = useT()
  const { closed } = useProject()
  const by = updated_by?.name ?? t('activity.deleted')
  return (
    <>
      <PageTitle title={name} intro={[by, ' · ', <Ago key="at" at={updated} />]} />
      {closed && <Message tone="neutral">{t(closed)}</Message>}
      <Card className="lg:max-w-232">
        <p className="wrap-anywhere whitespace-pre-wrap">{note || '–'}</p>
      </Card>
    </>
  )
}

/** Without `shown`, for a new one. */
function Editing({ shown }: { shown: Shown | undefined }) {
  const { subscriptionId, pathTo } = useProject()
  const content = (values: FormData) => ({
    subscriptionId,
    name: textOf(values, 'name'),
    note: textOf(values, 'note'),
  })
  const form = {
    submit: 'gadgets.save',
    done: 'gadgets.saved',
    failed: 'gadgets.saveFailed',
    explain: explainByPlan,
    children: (
      <>
        <FormDraft changedBy={shown?.updated_by?.name ?? null} />
        <TextField
          name="name"
          label="gadgets.name"
          defaultValue={shown?.name}
          maxLength={lengths.name}
          required
        />
        <TextAreaField
          name="note"
          label="gadgets.note"
          defaultValue={shown?.note}
          maxLength={lengths.note}
          className="field-sizing-content min-h-40"
        />
      </>
    ),
  } as const

  if (!shown)
    return (
      <FormPage title="gadgets.new">
        <CallForm {...form} call="createGadget" input={content} then={pathTo('gadgets')} />
      </FormPage>
    )
  const { id: gadgetId, updated: ifUnchangedSince } = shown
  return (
    <FormPage title="gadgets.edit">
      <CallForm
        {...form}
        call="updateGadget"
        then={pathTo('gadgets')}
        input={(values) => ({ ...content(values), gadgetId, ifUnchangedSince })}
        // The new text says what to look at.
        onRefused={({ reason }) => reason === 'gadgetChanged' && tellOfChange()}
      />
      <Deletion {...shown} />
    </FormPage>
  )
}

function Deletion({ id: gadgetId, name }: Shown) {
  const t = useT()
  const { subscriptionId, pathTo } = useProject()
  const goBack = useReturn()
  const [isAsking, setAsking] = useState(false)

  /** Leaves first, because the screen would read again what is gone. */
  function input() {
    void goBack(pathTo('gadgets'))
    return { subscriptionId, gadgetId }
  }

  return (
    <div className="mt-5 border-t border-line pt-4">
      <Button variant="danger" onClick={() => setAsking(true)}>
        {t('gadgets.delete.action')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          call="deleteGadget"
          title={t('gadgets.delete.title', { name })}
          input={input}
          submit="gadgets.delete.action"
          onRefused={(error) => toastFailure(t('gadgets.delete.failed'), problemText(error, t))}
          said={t('gadgets.delete.done', { name })}
          onClose={() => setAsking(false)}
        >
          <p className="text-soft">{t('gadgets.delete.text')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

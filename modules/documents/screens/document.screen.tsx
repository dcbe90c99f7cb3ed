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
import { editors, lengths, type Document as Shown } from '../contract.ts'

/** A form for people who may change documents. Others read. */
export function Document() {
  const t = useT()
  const { user } = useSession()
  const { subscription, subscriptionId } = useProject()
  const id = useSearchParams()[0].get('document')
  const input = { subscriptionId, documentId: id ?? '' }
  const { data, error, refetch } = useCall('getDocument', input, { enabled: id !== null })
  const mayWrite = !whyNot(editors, user.uid, subscription)
  const isGone = id === null || error?.reason === 'documentNotFound'

  if (mayWrite && (id === null || data)) return <Editing key={id} document={data?.document} />
  if (data && !isGone) return <Reading {...data.document} />
  return (
    <>
      <PageTitle title={t('documents.one')} />
      {isGone ? (
        <EmptyState icon={<FileX />}>{t('errors.documentNotFound')}</EmptyState>
      ) : error ? (
        <Problem error={error} failed="documents.openFailed" retry={refetch} />
      ) : (
        <Skeleton className="grid max-w-form gap-4">
          <FieldBones count={2} />
        </Skeleton>
      )}
    </>
  )
}

function Reading({ title, text, updated, updated_by }: Shown) {
  const t = useT()
  const { closed } = useProject()
  const by = updated_by?.name ?? t('activity.deleted')
  return (
    <>
      <PageTitle title={title} intro={[by, ' · ', <Ago key="at" at={updated} />]} />
      {closed && <Message tone="neutral">{t(closed)}</Message>}
      <Card className="lg:max-w-232">
        <p className="wrap-anywhere whitespace-pre-wrap">{text || '–'}</p>
      </Card>
    </>
  )
}

/** Without a document, for a new one. */
function Editing({ document }: { document: Shown | undefined }) {
  const { subscriptionId, pathTo } = useProject()
  const content = (values: FormData) => ({
    subscriptionId,
    title: textOf(values, 'title'),
    text: textOf(values, 'text'),
  })
  const form = {
    submit: 'documents.save',
    done: 'documents.saved',
    failed: 'documents.saveFailed',
    explain: explainByPlan,
    children: (
      <>
        <FormDraft changedBy={document?.updated_by?.name ?? null} />
        <TextField
          name="title"
          label="documents.name"
          defaultValue={document?.title}
          maxLength={lengths.title}
          required
        />
        <TextAreaField
          name="text"
          label="documents.text"
          defaultValue={document?.text}
          maxLength={lengths.text}
          className="field-sizing-content min-h-60"
        />
      </>
    ),
  } as const

  if (!document)
    return (
      <FormPage title="documents.new" wide>
        <CallForm {...form} call="createDocument" input={content} then={pathTo('documents')} />
      </FormPage>
    )
  const { id: documentId, updated: ifUnchangedSince } = document
  return (
    <FormPage title="documents.edit" wide>
      <CallForm
        {...form}
        call="updateDocument"
        then={pathTo('documents')}
        input={(values) => ({ ...content(values), documentId, ifUnchangedSince })}
        // The new text says what to look at.
        onRefused={({ reason }) => reason === 'documentChanged' && tellOfChange()}
      />
      <Deletion {...document} />
    </FormPage>
  )
}

function Deletion({ id: documentId, title }: Shown) {
  const t = useT()
  const { subscriptionId, pathTo } = useProject()
  const goBack = useReturn()
  const [isAsking, setAsking] = useState(false)

  /** Leaves first, because the screen would read again what is gone. */
  function input() {
    void goBack(pathTo('documents'))
    return { subscriptionId, documentId }
  }

  return (
    <div className="mt-5 border-t border-line pt-4">
      <Button variant="danger" onClick={() => setAsking(true)}>
        {t('documents.delete.action')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          call="deleteDocument"
          title={t('documents.delete.title', { title })}
          input={input}
          submit="documents.delete.action"
          onRefused={(error) => toastFailure(t('documents.delete.failed'), problemText(error, t))}
          said={t('documents.delete.done', { title })}
          onClose={() => setAsking(false)}
        >
          <p className="text-soft">{t('documents.delete.text')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

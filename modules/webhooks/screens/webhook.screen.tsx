import { events as all } from '#contract/events.ts'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useAction } from '../../../client/api/call.ts'
import { useCall } from '../../../client/api/queries.ts'
import { Button } from '../../../client/components/button.tsx'
import { CallForm } from '../../../client/components/call-form.tsx'
import { Card } from '../../../client/components/card.tsx'
import { ConfirmDialog } from '../../../client/components/confirm-dialog.tsx'
import { CopyId } from '../../../client/components/copy-id.tsx'
import { Checkbox, TextField, textOf } from '../../../client/components/fields.tsx'
import { FormPage } from '../../../client/components/form-page.tsx'
import { LiveProblem, Message, Problem, problemText } from '../../../client/components/message.tsx'
import { PageTitle } from '../../../client/components/page-title.tsx'
import { TableSkeleton } from '../../../client/components/table.tsx'
import { useReturn } from '../../../client/components/use-go-on.ts'
import { useProject } from '../../../client/layouts/use-project.ts'
import { useT } from '../../../client/platform/i18n.ts'
import { toastFailure } from '../../../client/platform/toasts.ts'
import type { Webhook as Shown } from '../contract.ts'
import { Deliveries, type Here } from './deliveries.tsx'

type OfSecret = { secret?: string | undefined; onSecret: (secret: string) => void }

export function Webhook() {
  const t = useT()
  const { subscriptionId, closed } = useProject()
  const webhookId = useSearchParams()[0].get('webhook')
  const { data, error, refetch } = useCall('listWebhooks', { subscriptionId })
  const [secret, onSecret] = useState<string>()
  const webhook = data?.webhooks.find(({ id }) => id === webhookId)

  if (webhookId === null) return <Adding onSecret={onSecret} />
  if (!webhook)
    return (
      <>
        <PageTitle title={t('webhooks.one')} />
        {data && <Message tone="neutral">{t('errors.webhookNotFound')}</Message>}
        <Problem error={error} failed="webhooks.loadFailed" retry={refetch} />
        {!data && !error && <TableSkeleton />}
      </>
    )
  const here = { subscriptionId, webhookId }
  return (
    <div key={webhookId} className="grid grid-cols-1 gap-5">
      {closed ? (
        <PageTitle title={t('webhooks.one')} intro={`${webhook.url} · ${t(closed)}`} />
      ) : (
        <FormPage
          title="webhooks.one"
          above={
            <>
              <State {...webhook} />
              <Secret {...{ here, secret, onSecret }} />
            </>
          }
        >
          <CallForm
            call="updateWebhook"
            input={(values) => ({ ...here, ...contentOf(values) })}
            submit="webhooks.save"
            done="webhooks.saved"
            failed="webhooks.saveFailed"
          >
            <Fields {...webhook} />
          </CallForm>
        </FormPage>
      )}
      <Deliveries {...here} mayAsk={!closed} />
      <Deletion here={here} host={new URL(webhook.url).host} />
    </div>
  )
}

function Adding({ onSecret }: OfSecret) {
  const { subscriptionId, pathTo } = useProject()
  const navigate = useNavigate()
  return (
    <FormPage title="webhooks.new">
      <CallForm
        call="createWebhook"
        input={(values) => ({ subscriptionId, ...contentOf(values) })}
        submit="webhooks.new"
        failed="webhooks.saveFailed"
        cancel={pathTo('webhooks')}
        onDone={({ webhook, secret }) => {
          onSecret(secret)
          void navigate(`?webhook=${webhook.id}`, { replace: true })
        }}
      >
        <Fields />
      </CallForm>
    </FormPage>
  )
}

/** Events are chosen by their names, which receivers get. */
function Fields({ url, events = ['*'] }: Partial<Shown>) {
  const t = useT()
  const [isAll, setAll] = useState(events[0] === '*')
  return (
    <>
      <TextField
        name="url"
        type="url"
        label="webhooks.url"
        hint="webhooks.urlHint"
        defaultValue={url}
        required
      />
      <fieldset className="grid min-w-0 sm:grid-cols-2">
        <legend className="mb-1 text-small font-strong">{t('webhooks.events')}</legend>
        <Checkbox
          name="events"
          value="*"
          checked={isAll}
          onChange={({ target }) => setAll(target.checked)}
        >
          {t('webhooks.all')}
        </Checkbox>
        {(isAll ? [] : all).map((name) => (
          <Checkbox key={name} name="events" value={name} defaultChecked={events.includes(name)}>
            <span className="id-text">{name}</span>
          </Checkbox>
        ))}
      </fieldset>
    </>
  )
}

function contentOf(values: FormData) {
  return { url: textOf(values, 'url'), events: values.getAll('events').map(String) }
}

function State({ id: webhookId, status, paused_because, waiting }: Shown) {
  const t = useT()
  const { subscriptionId } = useProject()
  const { busy, error, run } = useAction('updateWebhook')
  const isPaused = status === 'paused'
  const next = { subscriptionId, webhookId, status: isPaused ? 'on' : 'paused' } as const
  const change = (label: 'pause' | 'switchOn' | 'skip') => (
    <Button busy={busy} onClick={() => void run({ ...next, after: label === 'skip' })}>
      {t(`webhooks.${label}`)}
    </Button>
  )
  return (
    <>
      <Message
        tone={isPaused ? 'warn' : 'good'}
        title={t(`webhooks.${status}`)}
        action={
          <div className="flex flex-wrap gap-2">
            {change(isPaused ? 'switchOn' : 'pause')}
            {paused_because === 'failing' && change('skip')}
          </div>
        }
      >
        {isPaused
          ? t(`webhooks.because.${paused_because ?? 'person'}`)
          : waiting > 0 && t('webhooks.waiting', { count: waiting })}
      </Message>
      <LiveProblem error={error} failed="webhooks.changeFailed" />
    </>
  )
}

/** A new secret, which nobody can see again, or how to get one. */
function Secret({ here, secret, onSecret }: OfSecret & { here: Here }) {
  const t = useT()
  const { busy, error, run } = useAction('renewWebhookSecret')
  const inGroups = secret?.match(/.{1,8}/g)!.join(' ')
  return (
    <Card title={t('webhooks.secret.title')}>
      <div aria-live="polite" className="grid justify-items-start gap-3">
        <p className="text-soft">
          {t(secret ? 'webhooks.secret.text' : 'webhooks.secret.renewText')}
        </p>
        {secret && <CopyId id={secret} shown={inGroups} label={t('webhooks.secret.copy')} />}
        <Button busy={busy} onClick={() => void run(here, ({ secret }) => onSecret(secret))}>
          {t('webhooks.secret.renew')}
        </Button>
        <Problem error={error} failed="webhooks.secret.renewFailed" />
      </div>
    </Card>
  )
}

function Deletion({ here, host }: { here: Here; host: string }) {
  const t = useT()
  const { pathTo } = useProject()
  const goBack = useReturn()
  const [isAsking, setAsking] = useState(false)
  return (
    <div className="border-t border-line pt-4">
      <Button variant="danger" onClick={() => setAsking(true)}>
        {t('webhooks.delete.action')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          call="deleteWebhook"
          title={t('webhooks.delete.title', { host })}
          // Leaves first, because the screen would read again what is gone.
          input={() => {
            void goBack(pathTo('webhooks'))
            return here
          }}
          submit="webhooks.delete.action"
          onRefused={(error) => toastFailure(t('webhooks.delete.failed'), problemText(error, t))}
          said={t('webhooks.delete.done', { host })}
          onClose={() => setAsking(false)}
        >
          <p className="text-soft">{t('webhooks.delete.text')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

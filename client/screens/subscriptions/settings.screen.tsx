import { settingsFields, type SettingsField } from '#config/settings.ts'
import { projectName } from '#contract/project-name.ts'
import type { SettingValue } from '#contract/settings.ts'
import { useRef, useState } from 'react'
import { NavigationType, useLocation, useNavigationType, useSearchParams } from 'react-router'
import { tellOfChange } from '../../api/call.ts'
import type { CallError } from '../../api/post.ts'
import { useCall, useRead } from '../../api/queries.ts'
import { TextLink } from '../../components/button.tsx'
import { CallForm } from '../../components/call-form.tsx'
import { Card } from '../../components/card.tsx'
import { FormPage } from '../../components/form-page.tsx'
import {
  Checkbox,
  SelectField,
  TextAreaField,
  TextField,
  textOf,
} from '../../components/fields.tsx'
import { ColorField } from './color-field.tsx'
import { FormDraft } from '../../components/form-draft.tsx'
import { Message } from '../../components/message.tsx'
import { Bone } from '../../components/skeleton.tsx'
import { useT } from '../../platform/i18n.ts'
import { projectTitle, useProject } from '../../layouts/use-project.ts'
import { useScreenLinks } from '../../layouts/use-screen-links.ts'
import { useUndoable } from '../../layouts/use-undoable.ts'
import { defaultOf } from '../billing/card-words.ts'
import { Paid } from '../billing/next-payment.tsx'
import { InviteSeveral } from '../invites/several-form.tsx'
import { AccessTokens } from '../profile/access-tokens.tsx'
import { SecondFactor } from './second-factor.tsx'

/** `name` is the field's name in the server's refusals. */
const fields = Object.entries<SettingsField>(settingsFields).map(([key, field]) => ({
  key,
  name: `settings.${key}`,
  field,
}))

/** In the URL: the screen invites people to the new project. */
const inviting = 'people'

type Values = Record<string, SettingValue>

function isSame(one: Values, other: Values) {
  return fields.every(({ key }) => (one[key] ?? '') === (other[key] ?? ''))
}

/** The form for a project's settings. Straight after the creation it asks for the new name. */
export function Settings() {
  const t = useT()
  const { state } = useLocation()
  const [query] = useSearchParams()
  const { subscriptionId, subscription, closed, pathTo } = useProject()
  const read = useRead()
  const sayUndoable = useUndoable()
  const saved = useRef<Values>({})
  const isNamed = projectName(subscription.settings) !== ''
  const isReturn = useNavigationType() === NavigationType.Pop
  const [isNew] = useState(!closed && state?.created === true && !(isNamed && isReturn))
  const [wasNamed] = useState(isNamed)

  function input(values: FormData) {
    const settings = fields.map(({ key, name, field }) => [key, settingOf(values, name, field)])
    saved.current = Object.fromEntries(settings)
    const ifUnchangedSince = subscription.settings_changed
    return { subscriptionId, settings: saved.current, ifUnchangedSince }
  }

  /** Offers the settings as they were, unless somebody has changed them again. */
  async function offerUndo() {
    const before = subscription.settings
    const { subscription: now } = await read('getSubscription', { subscriptionId })
    if (!isNamed || !isSame(now.settings, saved.current) || isSame(now.settings, before)) return
    sayUndoable(
      t('project.settingsNowSaved', { project: projectTitle(now, t) }),
      'updateSubscriptionSettings',
      {
        subscriptionId,
        settings: before,
        ifUnchangedSince: now.settings_changed,
      },
    )
  }

  const form = {
    call: 'updateSubscriptionSettings',
    input,
    // The new settings say what to look at.
    onRefused: ({ reason }: CallError) => reason === 'settingsChanged' && tellOfChange(),
    done: 'project.settingsSaved',
    onDone: offerUndo,
    // A project gets its name with its first settings.
    failed: isNamed ? 'project.settingsFailed' : 'project.nameFailed',
    children: (
      <>
        <FormDraft changedBy={subscription.settings_changed_by} />
        {fields.map(({ key, name, field }) => (
          <Setting key={key} {...{ name, field }} value={subscription.settings[key]} />
        ))}
      </>
    ),
  } as const

  if (!closed && ((isNew && wasNamed) || query.has(inviting)))
    return (
      <FormPage
        title="project.ready"
        above={<Created isSaid />}
        below={
          <Card title={t('project.settings')}>
            <CallForm {...form} submit="project.saveSettings" then={pathTo('subscription')} plain />
          </Card>
        }
      >
        <div className="grid gap-5">
          <h2 className="text-card">{t('users.inviteSeveral')}</h2>
          <InviteSeveral
            place={`${pathTo('settings')}?${inviting}`}
            former={typeof state?.again === 'string' ? state.again : undefined}
            focused
          />
        </div>
      </FormPage>
    )
  if (isNew)
    return (
      <FormPage title="project.nameIt" intro="project.nameItIntro" above={<Created />}>
        <CallForm
          {...form}
          submit="project.saveAndInvite"
          then={`${pathTo('invite')}?several`}
          cancel={pathTo('subscription')}
          cancelLabel="project.later"
          focused
        />
      </FormPage>
    )
  return (
    <FormPage
      title="project.settings"
      below={
        <>
          {!closed && <SecondFactor />}
          <AccessTokens subscriptionId={subscriptionId} isClosed={closed !== undefined} />
          <FurtherSettings />
        </>
      }
    >
      {!closed && (
        <CallForm {...form} submit="project.saveSettings" then={pathTo('subscription')} />
      )}
      {closed && (
        <div className="grid gap-4">
          <Message tone="neutral">{t(closed)}</Message>
          <dl className="grid gap-3">
            {fields.map(({ key, field }) => (
              <div key={key}>
                <dt className="text-small text-soft">{t(field.label)}</dt>
                <dd className="wrap-anywhere whitespace-pre-line">
                  <Kept field={field} value={subscription.settings[key]} />
                </dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </FormPage>
  )
}

/** Links to the screens that have settings of their own, such as those of modules. */
function FurtherSettings() {
  const t = useT()
  const links = useScreenLinks().filter(({ parent }) => parent === 'settings')
  return links.map(({ to, title, icon: Icon }) => (
    <Card key={to} className="relative">
      <TextLink to={to} className="flex items-center gap-2.5 after:absolute after:inset-0">
        <Icon className="size-4.5 text-soft" />
        {t(title)}
      </TextLink>
    </Card>
  ))
}

/**
 * Says that the project exists, unless the title `isSaid` to, and what was paid first if it costs
 * money from the start.
 */
function Created({ isSaid = false }: { isSaid?: boolean }) {
  const t = useT()
  const { state } = useLocation()
  const { subscriptionId, subscription, plan } = useProject()
  const isPaid = !plan.free && subscription.trial_ends === null
  const { data, isLoading } = useCall('getPaymentMethods', { subscriptionId }, { enabled: isPaid })
  if (!isPaid) return isSaid ? null : <Message tone="good">{t('project.created')}</Message>
  if (isLoading) return <Bone className="h-21 animate-late sm:h-16" />
  return (
    <Paid
      amount={state?.paid as string | undefined}
      card={defaultOf(data)?.card}
      otherwise={t('project.paid', { plan: t(plan.titleKey) })}
      isReceiptMailed
    />
  )
}

/** A setting of a canceled project, which nobody can change any more. */
function Kept({ field, value }: Omit<SettingProps, 'name'>) {
  const t = useT()
  if (field.type === 'boolean') return t(value === true ? 'common.yes' : 'common.no')
  const text = String(value ?? '')
  if (field.type !== 'select' || !Object.hasOwn(field.options, text)) return text || '–'
  return t(field.options[text]!)
}

type SettingProps = { name: string; field: SettingsField; value: SettingValue | undefined }

function Setting({ name, field, value }: SettingProps) {
  const t = useT()
  const { label, hint, required, placeholder } = field
  const defaultValue = String(value ?? '')
  const common = {
    name,
    label,
    required,
    hint,
    placeholder: placeholder && t(placeholder),
    defaultValue,
  }
  switch (field.type) {
    case 'string':
      return <TextField {...common} maxLength={field.maxLength} />
    case 'url':
    case 'email':
      return <TextField {...common} type={field.type} maxLength={field.maxLength} />
    case 'text':
      return <TextAreaField {...common} maxLength={field.maxLength} />
    case 'number': {
      const { min, max, step = 'any' } = field
      return <TextField {...common} type="number" {...{ min, max, step }} />
    }
    case 'boolean':
      return (
        <Checkbox name={name} required={required} defaultChecked={value === true}>
          {t(label)}
        </Checkbox>
      )
    case 'select':
      return (
        <SelectField {...common}>
          <option value="" disabled={required}>
            {placeholder ? t(placeholder) : ''}
          </option>
          {Object.entries(field.options).map(([option, words]) => (
            <option key={option} value={option}>
              {t(words)}
            </option>
          ))}
        </SelectField>
      )
    case 'color':
      return <ColorField {...{ name, label, hint, required, defaultValue }} />
  }
}

function settingOf(values: FormData, name: string, { type }: SettingsField): SettingValue {
  if (type === 'boolean') return values.has(name)
  const text = textOf(values, name)
  if (type !== 'number') return text
  return text.trim() === '' ? null : Number(text)
}

import { limits } from '#config/limits.ts'
import type { CallInput, CallOutput } from '#contract/calls.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { SelectField, TextField, textOf } from '../../components/fields.tsx'
import { useT } from '../../platform/i18n.ts'

const day = 24 * 3600
const usualDays = limits.accessTokens.life / (day * 1000)

type MakeTokenProps = {
  inProject: { subscriptionId?: string }
  /** Runs before the dialog closes. */
  onMade: (made: CallOutput<'createAccessToken'>) => Promise<void>
  onClose: () => void
}

/** Asks what a new access token is called, what it may do and how long it works. */
export function MakeToken({ inProject, onMade, onClose }: MakeTokenProps) {
  const t = useT()

  function input(values: FormData): CallInput<'createAccessToken'> {
    return {
      ...inProject,
      name: textOf(values, 'name'),
      access: textOf(values, 'access') as 'read' | 'write',
      expires: Math.floor(Date.now() / 1000) + Number(textOf(values, 'days')) * day,
    }
  }

  return (
    <ConfirmDialog
      call="createAccessToken"
      title={t('tokens.makeTitle')}
      input={input}
      submit="tokens.make"
      failed="tokens.failed"
      danger={false}
      onDone={onMade}
      onClose={onClose}
    >
      <TextField
        name="name"
        label="tokens.name"
        hint="tokens.nameHint"
        maxLength={50}
        autoComplete="off"
        required
      />
      <SelectField name="access" label="tokens.access" defaultValue="read" required>
        <option value="read">{t('tokens.read')}</option>
        <option value="write">{t('tokens.write')}</option>
      </SelectField>
      <SelectField name="days" label="tokens.life" defaultValue={usualDays} required>
        {[30, usualDays, 365].map((count) => (
          <option key={count} value={count}>
            {t('tokens.days', { count })}
          </option>
        ))}
      </SelectField>
    </ConfirmDialog>
  )
}

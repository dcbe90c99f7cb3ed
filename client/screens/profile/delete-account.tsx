import { limits } from '#config/limits.ts'
import { paths } from '#contract/paths.ts'
import { useEffect, useState } from 'react'
import type { CallError } from '../../api/post.ts'
import { forgetSession } from '../../api/session.ts'
import { useSession } from '../../api/use-session.tsx'
import { CallForm } from '../../components/call-form.tsx'
import { CopyId } from '../../components/copy-id.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { Message } from '../../components/message.tsx'
import { TextField } from '../../components/text-field.tsx'
import { textOf } from '../../components/text-of.ts'
import { useT } from '../../i18n.ts'
import { OwnedProjects } from './owned-projects.tsx'

export function DeleteAccount() {
  const t = useT()
  const { user } = useSession()
  const [isDeleted, setDeleted] = useState(false)
  // Until the message has been read this stays on screen; then nobody is signed in any more.
  useEffect(() => (isDeleted ? forgetSession : undefined), [isDeleted])
  const typedId = (values: FormData) => textOf(values, 'confirmationId').trim()
  return (
    <FormPage title="profile.deleteAccount">
      <CallForm
        call="deleteAccount"
        input={(values) => ({ confirmationId: typedId(values) })}
        check={(values) => (typedId(values) === user.uid ? undefined : { confirmationId: 'errors.confirmationMismatch' })}
        submit="profile.deleteAccount"
        done="profile.accountDeleted"
        failed="profile.deleteFailed"
        explain={explain}
        onDone={() => setDeleted(true)}
        then={paths.home}
        after={limits.screens.returnAfterDeletion}
        cancel={paths.profile}
        danger
      >
        <Message tone="bad" title={t('profile.deleteWarningTitle')}>
          {t('profile.deleteWarning')}
        </Message>
        <div>
          <p className="text-small font-strong">{t('profile.yourUserId')}</p>
          <CopyId id={user.uid} />
        </div>
        <TextField
          name="confirmationId"
          label="profile.typeUserId"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="id-text"
          required
        />
      </CallForm>
    </FormPage>
  )
}

function explain(error: CallError) {
  return error.reason === 'ownsActiveProjects' ? <OwnedProjects error={error} /> : undefined
}

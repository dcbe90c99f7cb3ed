import { limits } from '#config/limits.ts'
import type { EpochSeconds } from '#contract/entities.ts'
import { paths, projectPath, type ProjectPathName } from '#contract/paths.ts'
import { projectName } from '#contract/project-name.ts'
import { Download } from 'lucide-react'
import { useCall } from '../../api/queries.ts'
import { act, signInAgain } from '../../api/call.ts'
import { CallError } from '../../api/post.ts'
import { forgetSession, useSession } from '../../api/session.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { CallForm, CancelLink, FormActions } from '../../components/call-form.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { ConfirmByTyping, confirmationOf } from '../../components/confirm-by-typing.tsx'
import { PasswordField, textOf } from '../../components/fields.tsx'
import { LiveProblem, Message, Problem } from '../../components/message.tsx'
import {
  SecondStepFields,
  secondStepOf,
  useSecondStepNeeded,
  useOwnFactors,
} from '../../components/second-step-fields.tsx'
import { Bone, FieldBones, Skeleton } from '../../components/skeleton.tsx'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { runtime } from '../../platform/runtime.ts'
import { withReturn } from '../../platform/return-path.ts'
import { OwnInvitesEnd } from '../members/keep-invites.tsx'
import { useOwnData } from './use-own-data.ts'

/** `ends`: when the project ends, if its owner has set that. */
type Owned = { id: string; name: string; ends?: EpochSeconds | null }

export function DeleteAccount() {
  const t = useT()
  const { user } = useSession()
  const { data, error, refetch } = useCall('listSubscriptions', {})
  const owned = data?.subscriptions.filter(
    ({ owner_id, status }) => owner_id === user.uid && status === 'active',
  )
  return (
    <FormPage title="profile.deleteAccount">
      {!owned && <Problem error={error} failed="people.owned.loadFailed" retry={refetch} />}
      {!owned && !error && (
        <Skeleton className="grid gap-4" bones={['h-17 rounded-notice!', 'h-10 w-60']}>
          <FieldBones count={1} />
          <Bone className="ms-auto h-10 w-40" />
        </Skeleton>
      )}
      {owned?.length === 0 && <Deletion />}
      {owned && owned.length > 0 && (
        // Every project needs an owner, so the user first sees what to do with their projects.
        <div className="grid gap-4">
          <OwnedProjects
            projects={owned.map(({ id, settings, ends, ends_by: by }) => ({
              id,
              name: projectName(settings),
              ends: by === 'owner' ? ends : null,
            }))}
          />
          <FormActions>
            <CancelLink to={paths.profile}>{t('people.owned.keep')}</CancelLink>
          </FormActions>
        </div>
      )}
    </FormPage>
  )
}

function Deletion() {
  const t = useT()
  const { user } = useSession()
  const { data } = useCall('getUser', {})
  const ownData = useOwnData()
  const { isOn, hasPasskey } = useOwnFactors()
  const { isNeeded, onRefused } = useSecondStepNeeded(isOn)
  const sent = useCall('listSentInvites', {}).data?.invites ?? []
  const hasPassword = data?.user.has_password !== false
  const hasProvider = runtime.signInProviders.some(({ name }) =>
    data?.user.providers.includes(name),
  )

  /** Makes sure that it is the user, however recent the sign-in is. */
  async function input(values: FormData) {
    if (hasPassword)
      await act('reauthenticate', {
        password: textOf(values, 'password'),
        ...(await secondStepOf(values)),
      })
    else if (hasProvider && !(await signInAgain()))
      throw new CallError('auth/requires-recent-login')
    return { confirmationId: confirmationOf(values) }
  }

  const leave = () => forgetSession(t('profile.deleted', { email: user.email }))

  return (
    <CallForm
      call="deleteAccount"
      input={input}
      check={(values) =>
        ['', user.uid].includes(confirmationOf(values))
          ? undefined
          : { confirmationId: 'errors.confirmationMismatch' }
      }
      submit="profile.deleteAccount"
      done="profile.accountDeleted"
      failed="profile.deleteFailed"
      explain={explain}
      onRefused={onRefused}
      // The user stays signed in on this screen until they have had time to read the message.
      onDone={() => void setTimeout(leave, limits.screens.returnAfterDeletion)}
      then={paths.home}
      after={limits.screens.returnAfterDeletion}
      cancel={paths.profile}
      focused
      danger
    >
      <Message
        tone="bad"
        title={t('profile.deleteWarningTitle')}
        action={
          <Button icon={<Download />} busy={ownData.busy} onClick={ownData.download}>
            {t('profile.ownData.download')}
          </Button>
        }
      >
        {t('profile.deleteWarning')}
      </Message>
      <LiveProblem error={ownData.error} failed="profile.ownData.failed" />
      <OwnInvitesEnd count={sent.length} />
      {hasPassword && (
        <>
          <input type="text" autoComplete="username" value={user.email} readOnly hidden />
          <PasswordField name="password" label="auth.password" autoComplete="current-password" />
          {isNeeded && <SecondStepFields focus={!isOn} hasPasskey={hasPasskey} />}
        </>
      )}
      <ConfirmByTyping id={user.uid} title="profile.yourUserId" label="profile.typeUserId" />
    </CallForm>
  )
}

/** The user may have become an owner while the form was open. */
function explain(error: CallError) {
  return error.reason === 'ownsActiveProjects' ? (
    <OwnedProjects projects={error.details['projects'] as Owned[]} />
  ) : undefined
}

/** The projects that keep the account from being deleted. The screens of both links lead back. */
function OwnedProjects({ projects }: { projects: Owned[] }) {
  const t = useT()
  return (
    <div className="grid gap-4">
      <Message tone="warn" title={t('people.owned.title', { count: projects.length })}>
        {t('people.owned.text')}
      </Message>
      <ul className="divide-y divide-line">
        {projects.map((project) => (
          <OwnedProject key={project.id} {...project} />
        ))}
      </ul>
    </div>
  )
}

function OwnedProject({ id, name, ends }: Owned) {
  const t = useT()
  const format = useFormat()
  const project = name || t('common.untitledProject')
  const to = (screen: ProjectPathName) => withReturn(projectPath(screen, id), paths.deleteAccount)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <span className="min-w-0 flex-1 basis-44 font-strong wrap-anywhere">
        {project}
        {ends && (
          <span className="block text-small font-normal text-soft">
            {t('project.ends', { date: format.billingDate(ends) })}
          </span>
        )}
      </span>
      <span className="flex flex-wrap gap-2 *:grow">
        <ButtonLink
          to={to('transferOwnership')}
          aria-label={t('people.owned.transferOf', { project })}
        >
          {t('people.owned.transfer')}
        </ButtonLink>
        <ButtonLink
          to={to('cancelSubscription')}
          aria-label={t(ends ? 'people.owned.endOf' : 'people.owned.cancelOf', { project })}
        >
          {t(ends ? 'billing.cancel.endNow' : 'people.owned.cancel')}
        </ButtonLink>
      </span>
    </li>
  )
}

import { limits } from '#config/limits.ts'
import type { CallOutput } from '#contract/calls.ts'
import type { CallError } from '../api/post.ts'
import { Button } from '../components/button.tsx'
import { CallForm } from '../components/call-form.tsx'
import { Checkbox } from '../components/fields.tsx'
import { PageTitle } from '../components/page-title.tsx'
import {
  acceptsPasskey,
  SecondStepFields,
  secondStepOf,
} from '../components/second-step-fields.tsx'
import { useT } from '../platform/i18n.ts'

const days = limits.factors.browserRemembered / 86_400_000

type SecondStepProps = {
  /** Has the `resolver`, and what else the step needs. */
  refusal: CallError
  /** Gets the session, or a refusal after which the sign-in begins anew. */
  onEnd: (passed?: CallOutput<'finishSignIn'> | CallError) => void
}

/** Stands in the place of the form that began a sign-in. */
export function SecondStep({ refusal, onEnd }: SecondStepProps) {
  const t = useT()
  const resolver = String(refusal.details['resolver'])

  function refused(error: CallError) {
    if (error.reason === 'auth/resolver-expired') onEnd(error)
  }

  return (
    <>
      <PageTitle title={t('auth.secondStep.title')} intro={t('auth.secondStep.intro')} />
      <CallForm
        call="finishSignIn"
        input={async (values) => ({
          resolver,
          ...(await secondStepOf(values, refusal)),
          rememberBrowser: values.has('rememberBrowser'),
        })}
        submit="auth.signIn"
        failed="auth.signInFailed"
        onRefused={refused}
        onDone={onEnd}
        wide
      >
        <SecondStepFields hasPasskey={acceptsPasskey(refusal)} />
        <Checkbox name="rememberBrowser">{t('auth.secondStep.remember', { days })}</Checkbox>
      </CallForm>
      <Button size="large" className="-mt-2" onClick={() => onEnd()}>
        {t('auth.secondStep.back')}
      </Button>
    </>
  )
}

import { limits } from '#config/limits.ts'
import { useState, type ReactNode } from 'react'
import { Button, ButtonLink } from '../../components/button.tsx'
import { FormActions } from '../../components/call-form.tsx'
import { Message, Problem } from '../../components/message.tsx'
import { useProject } from '../../layouts/use-project.ts'
import { useT } from '../../platform/i18n.ts'
import { useInviteLink } from '../members/use-invite-link.tsx'

/** Offers the link of a new invitation that could not be mailed. */
export function UnmailedInvite({ id, email }: { id: string; email: string }) {
  const t = useT()
  const { pathTo } = useProject()
  const [expires] = useState(expiryOfNew)
  const [dialog, setDialog] = useState<ReactNode>()
  const link = useInviteLink({ show: setDialog })
  return (
    <section
      ref={focus}
      tabIndex={-1}
      aria-label={t('users.unmailed.title')}
      className="grid grid-cols-1 gap-4 outline-none"
    >
      <Message tone="warn" title={t('users.unmailed.title')}>
        {t('users.unmailed.text', { email })}
      </Message>
      <Problem error={link.error} failed="users.link.failed" />
      <FormActions>
        <ButtonLink to={pathTo('users')} size="large">
          {t('users.several.back')}
        </ButtonLink>
        <Button
          variant="primary"
          size="large"
          busy={link.busy}
          onClick={() => void link.copy({ id, email, expires })}
        >
          {t('users.link.action')}
        </Button>
      </FormActions>
      {dialog}
    </section>
  )
}

/** Until when an invitation is valid that has just been made, in seconds. */
export function expiryOfNew() {
  return (Date.now() + limits.invites.live) / 1000
}

/** The form with the focus is gone, and a screen reader reads what is there instead. */
function focus(section: HTMLElement | null) {
  section?.focus()
}

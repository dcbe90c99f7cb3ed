import { useT } from '../platform/i18n.ts'
import { TextLink } from './button.tsx'
import { screenAt } from './screen-at.ts'
import { useReturnLink } from './use-go-on.ts'

/** A link to the screen that opens next, with its title, for users who don't want to wait. */
export function NextLink({ to }: { to: string }) {
  const t = useT()
  const link = useReturnLink(to, true)
  const title = screenAt(new URL(to, location.origin).pathname)?.title
  return title ? (
    <TextLink {...link} className="text-current! underline">
      {t(title)}
    </TextLink>
  ) : null
}

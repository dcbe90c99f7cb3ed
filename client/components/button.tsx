import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { Link } from 'react-router'
import { classes } from './classes.ts'
import { Turning } from './spinner.tsx'

type Look = {
  variant?: 'primary' | 'plain' | 'quiet' | 'danger' | 'danger-solid'
  size?: 'normal' | 'large' | 'icon'
  icon?: ReactNode
}

const looks = {
  primary: 'border-transparent bg-accent text-on-accent shadow-low hover:bg-accent-hover',
  plain: 'border-line-strong bg-surface text-ink shadow-low hover:bg-tint',
  quiet: 'border-transparent text-soft hover:bg-tint hover:text-ink',
  danger: 'border-line-strong bg-surface text-bad shadow-low hover:bg-bad-soft',
  'danger-solid': 'border-transparent bg-bad-solid text-on-bad shadow-low hover:bg-bad-hover',
}
const sizes = { normal: 'min-h-9 px-3.5 py-1.5', large: 'min-h-10 px-4 py-2', icon: 'size-9 p-0' }

/** While `busy`, the button keeps its size and focus, and ignores clicks. */
export function Button({
  variant = 'plain',
  size = 'normal',
  icon,
  busy = false,
  type = 'button',
  className,
  children,
  onClick,
  ...rest
}: Look & { busy?: boolean } & ComponentProps<'button'>) {
  const ignoreWhileBusy = (event: MouseEvent<HTMLButtonElement>) =>
    busy ? event.preventDefault() : onClick?.(event)
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={ignoreWhileBusy}
      className={classes(look(variant, size), className)}
    >
      {busy && <Turning className="absolute size-4" />}
      <span
        className={classes('inline-flex items-center justify-center gap-2', busy && 'opacity-0')}
      >
        {icon}
        {children}
      </span>
    </button>
  )
}

/** While `disabled`, the link has no URL, but screen readers still announce a link. */
export function ButtonLink({
  variant = 'plain',
  size = 'normal',
  icon,
  disabled = false,
  className,
  children,
  ...rest
}: Look & { disabled?: boolean } & ComponentProps<typeof Link>) {
  const appearance = classes(
    look(variant, size),
    'gap-2',
    disabled && 'pointer-events-none opacity-50',
    className,
  )
  const content = (
    <>
      {icon}
      {children}
    </>
  )
  return disabled ? (
    // oxlint-disable-next-line jsx-a11y/anchor-is-valid -- a disabled link has no `href`
    <a
      role="link"
      aria-disabled="true"
      aria-describedby={rest['aria-describedby']}
      className={appearance}
    >
      {content}
    </a>
  ) : (
    <Link {...rest} className={appearance}>
      {content}
    </Link>
  )
}

function look(variant: keyof typeof looks, size: keyof typeof sizes) {
  return classes(
    'touch-target relative inline-flex shrink-0 items-center justify-center rounded-control border text-center text-body font-strong transition-colors',
    'disabled:cursor-not-allowed disabled:opacity-50 print:hidden [&_svg]:size-4 [&_svg]:shrink-0',
    looks[variant],
    sizes[size],
  )
}

export function TextLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link
      {...rest}
      className={classes(
        'rounded-control font-medium text-accent-ink underline-offset-3 hover:underline',
        className,
      )}
    />
  )
}

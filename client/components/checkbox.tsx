import type { ComponentProps, ReactNode } from 'react'

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'children'> & { children: ReactNode }

export function Checkbox({ children, ...input }: CheckboxProps) {
  return (
    <label className="flex min-h-9 items-center gap-2.5 has-disabled:text-soft">
      <input {...input} type="checkbox" className="size-4.5 shrink-0 accent-accent" />
      <span>{children}</span>
    </label>
  )
}

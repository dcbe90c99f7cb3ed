import { createContext, useContext, type ReactNode, type RefObject } from 'react'

/** The error of each field, by its name. */
export type FieldErrors = Record<string, string>

export const FormErrors = createContext<FieldErrors>({})

export function useFieldError(name: string) {
  return useContext(FormErrors)[name]
}

export type FormDraftProps = {
  form: RefObject<HTMLFormElement | null>
  name: string
  isDone: boolean
}

/** Draws the part that keeps the draft of a form. Only a signed-in user has drafts. */
export const FormDrafts = createContext<(draft: FormDraftProps) => ReactNode>(() => null)

import { createContext, useContext, type ReactNode, type RefObject } from 'react'

/** What is wrong with a field, by its name. */
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

/** Draws what keeps the draft of a form, where somebody is signed in. */
export const FormDrafts = createContext<(draft: FormDraftProps) => ReactNode>(() => null)

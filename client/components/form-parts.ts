import { createContext, type ComponentType, type RefObject } from 'react'

export type FormDraftProps = {
  form: RefObject<HTMLFormElement | null>
  /** Tells the forms of one screen apart. */
  name: string
  isBusy: boolean
  isDone: boolean
  /** The name of who last changed elsewhere what the form shows; null if nobody knows. */
  changedBy: string | null
  /** True once the form is saved or given up, even if its screen closes at that moment. */
  isOver: RefObject<boolean>
}

type Parts = {
  FormDraft: ComponentType<FormDraftProps>
  NextLink: ComponentType<{ to: string }>
}

/** What forms have only behind the sign-in, so that visitors don't load it. */
export const FormParts = createContext<Parts | undefined>(undefined)

import { limits } from '#config/limits.ts'
import { onlineManager } from '@tanstack/react-query'
import { useState, type ComponentType } from 'react'
import { useT } from '../i18n.ts'
import { toast } from '../toasts.ts'

type Load<Props> = () => Promise<ComponentType<Props> | undefined>

/**
 * Fetched once, when it is first wanted or when all else is there. Nothing without a connection, which the screen tells: what could not be
 * fetched would stay broken.
 */
export function part<Props>(load: () => Promise<ComponentType<Props>>): Load<Props> {
  let loading: Promise<ComponentType<Props>> | undefined
  const loadOnce = async () => {
    if (onlineManager.isOnline()) loading ??= load()
    try {
      return await loading
    } catch (error) {
      loading = undefined
      throw error
    }
  }
  setTimeout(() => ahead(loadOnce), limits.screens.ahead)
  return loadOnce
}

/** A part that opens over the screen. */
export function usePart<Props>(load: Load<Props>) {
  const t = useT()
  const [{ Part }, show] = useState<{ Part?: ComponentType<Props> | undefined }>({})

  async function open() {
    try {
      const Part = await load()
      if (!document.querySelector('dialog[open]')) show({ Part })
    } catch {
      toast(t('common.broken'))
    }
  }

  return { Part, open, close: () => show({}), preload: () => ahead(load) }
}

/** Nobody waits for it, so nobody is told that it failed. */
function ahead(load: () => Promise<unknown>) {
  load().catch(() => undefined)
}

import { limits } from '#config/limits.ts'
import { onlineManager } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { useT } from '../i18n.ts'
import { toast } from '../toasts.ts'
import { useOpening } from './use-opening.ts'

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
  const { opened, key, open: show, close } = useOpening<{ Part: ComponentType<Props> }>()

  async function open() {
    try {
      const Part = await load()
      if (Part && !document.querySelector('dialog[open]')) show({ Part })
    } catch {
      toast(t('common.broken'))
    }
  }

  return { Part: opened?.Part, key, open, close, preload: () => ahead(load) }
}

/** Nobody waits for it, so nobody is told that it failed. */
function ahead(load: () => Promise<unknown>) {
  load().catch(() => undefined)
}

export type Bell = ReturnType<typeof openBell>

/** Lets one loop sleep for a time, or until somebody rings. */
export function openBell() {
  let isRung = false
  let wake: () => void = () => undefined

  return {
    ring() {
      isRung = true
      wake()
    },
    /** Returns at once if somebody has rung since it last returned. */
    async sleep(milliseconds: number) {
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        wake = resolve
        if (isRung) resolve()
        else timer = setTimeout(resolve, milliseconds)
      })
      clearTimeout(timer)
      isRung = false
    },
  }
}

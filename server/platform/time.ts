export function after(time: Date, milliseconds: number) {
  return new Date(time.getTime() + milliseconds)
}

const two = (figure: number) => String(figure).padStart(2, "0")

/** A time as a clock on the wall shows it: `2026-01-31 12:00`. */
export const when = (millis: number): string => {
  const time = new Date(millis)
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${two(time.getHours())}:${two(time.getMinutes())}`
}

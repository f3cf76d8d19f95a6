import classes from './initials.module.css'

/** Two letters for a person, struck out for one who is gone; no colours, because colour says who is on the line. */
export function Initials({ name, isGone = false }: { name: string; isGone?: boolean }) {
  const words = name.trim().split(/[\s._-]+/)
  const letters = words.length > 1 ? `${words[0]?.[0] ?? ''}${words.at(-1)?.[0] ?? ''}` : name.trim().slice(0, 2)
  return (
    <span className={classes.initials} data-gone={isGone || undefined} aria-hidden>
      {letters.toUpperCase()}
    </span>
  )
}

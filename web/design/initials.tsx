import classes from './initials.module.css'

/** Two letters for a person; no colours, because colour says who is on the line. */
export function Initials({ name }: { name: string }) {
  const words = name.trim().split(/[\s._-]+/)
  const letters = words.length > 1 ? `${words[0]?.[0] ?? ''}${words.at(-1)?.[0] ?? ''}` : name.trim().slice(0, 2)
  return (
    <span className={classes.initials} aria-hidden>
      {letters.toUpperCase()}
    </span>
  )
}

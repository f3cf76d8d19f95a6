import { useWords } from '../words/words.ts'
import classes from './lines.module.css'

/** Audio that the service passes on to whoever may hear it; nothing is loaded before somebody plays it. */
export function Player({ source, label }: { source: string; label: string }) {
  return (
    // biome-ignore lint/a11y/useMediaCaption: what was said stands beside it as the transcript
    <audio className={classes.player} controls preload="none" src={source} aria-label={label} />
  )
}

/** What was said, as text: whatever callers say is shown and never obeyed. */
export function Transcript({ text }: { text: string }) {
  const say = useWords('lines')
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return (
    <section className={classes.transcript} aria-label={say('transcript')}>
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text stay where they are
        <p key={at}>{line}</p>
      ))}
    </section>
  )
}

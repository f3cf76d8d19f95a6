import classes from './lines.module.css'

/** Audio that the service passes on to everybody who may hear it; nothing is loaded before somebody plays it. */
export function Player({ source, label }: { source: string; label: string }) {
  return (
    // biome-ignore lint/a11y/useMediaCaption: what was said stands beside it as the transcript
    <audio className={classes.player} controls preload="none" src={source} aria-label={label} />
  )
}

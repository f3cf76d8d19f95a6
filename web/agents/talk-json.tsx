import { plain } from '../words/formats.ts'
import classes from './talk.module.css'

/** JSON as people read it; as it came where it is none. */
export function Json({ title, text }: { title: string; text: string }) {
  return (
    <figure className={classes.json}>
      <figcaption>{title}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <pre tabIndex={0}>{plain(indented(text))}</pre>
    </figure>
  )
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

import { phone, plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import { callersHear, type Heard } from './callers-hear.ts'
import type { Values } from './record-values.ts'
import classes from './records.module.css'
import { useExtensionName } from './use-extension-name.ts'

/** Says what callers hear of the record as it is typed, before it is saved. */
export function CallersHearNote({ model, stored, values }: { model: string; stored: Values; values: Values }) {
  const heard = callersHear(model, stored, values)
  if (heard.length === 0) return null
  return (
    <div className={classes.reach} role="status">
      {heard.map((each) => (
        <p key={each.says}>
          <HeardText heard={each} />
        </p>
      ))}
    </div>
  )
}

/** Below a prompt that asks callers to choose from nothing. */
export function AsksInVainNote() {
  const say = useWords('records')
  return (
    <p role="status" className={classes.draft}>
      {say('asksInVain')}
    </p>
  )
}

export function HeardText({ heard: { says, what, extension } }: { heard: Heard }) {
  const say = useWords('records')
  const reached = useExtensionName(extension, phone(what))
  return <>{say(says, { what: extension === undefined ? plain(what) : plain(reached) })}</>
}

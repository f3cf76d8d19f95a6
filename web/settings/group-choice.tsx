import { Checkbox } from '@mantine/core'
import { useWords } from '../words/words.ts'
import { GROUP_WORDS, useGroups } from './group-words.ts'
import classes from './settings.module.css'

/** Groups with what each is for. */
export function GroupChoice({ value, onChange }: { value: readonly number[]; onChange: (ids: number[]) => void }) {
  const say = useWords('settings')
  const { data: groups = [] } = useGroups()
  const toggle = (id: number, isIn: boolean) => onChange(isIn ? [...value, id] : value.filter((each) => each !== id))
  return (
    <fieldset className={classes.choice}>
      <legend className={classes.label}>{say('groups')}</legend>
      {groups.map(({ id, external_id: key, name }) => {
        const words = GROUP_WORDS[key]
        return (
          <Checkbox
            key={id}
            label={words === undefined ? name : say(words.name)}
            description={words === undefined ? undefined : say(words.says)}
            checked={value.includes(id)}
            onChange={({ currentTarget }) => toggle(id, currentTarget.checked)}
          />
        )
      })}
    </fieldset>
  )
}

import { Select, type SelectProps } from '@mantine/core'
import { languageChoices, languagesMatching } from '../words/languages.ts'
import { reader } from '../words/words.ts'

interface Props extends Pick<SelectProps, 'label' | 'aria-label' | 'description' | 'placeholder' | 'error'> {
  withAsterisk?: boolean
  isClearable?: boolean
  value: string | null
  onChange: (code: string | null) => void
}

/** A language, found by its name in the reader's language and never typed as a code. */
export function LanguageSelect({ isClearable = false, value, ...props }: Props) {
  const choices = languageChoices(value, reader().language)
  return (
    <Select
      {...props}
      data={choices}
      filter={({ search }) => languagesMatching(choices, search)}
      searchable
      selectFirstOptionOnChange
      clearable={isClearable && value !== null}
      value={value}
    />
  )
}

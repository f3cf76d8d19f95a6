import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call, searchRead } from '../data/client.ts'
import { asks, keyOf, keysOf } from '../data/keys.ts'
import { mayDo, useMe } from '../data/session.ts'
import { tellDone, tellDoneUntil, tellRefusal } from '../design/notices.tsx'
import { holds } from '../words/folded.ts'
import { phone } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import { LinkPicker, type LinkProps } from './link-picker.tsx'
import { type MadeForForm, removeMade, useNoteMade } from './made-for-form.ts'
import { EXTENSIONS, extensionName } from './names.ts'
import { namesQuery } from './names-query.ts'
import { SilentExtensionNote, silence, silentBehind, silentQuery } from './silent-person.tsx'

const PHONE_USERS = 'connect.user'
const FLOWS = 'connect.telco.callflow'
const AGENTS = 'connect.voiceai_agent'
/** Far more people than a company has phones for. */
const PEOPLE_MAX = 1000
/** Of each kind, so that the others stay in sight. */
const ITEMS_MAX = 5
/** Fewer digits are a short number. */
const MOBILE = /^\+?[\d\s()/.-]*(?:\d[\s()/.-]*){8}$/
const WITHOUT = [['exten', '=', false]] as const

/** People who work with Connect and have no short number: without a phone, or with one. */
const peopleQuery = asks({
  queryKey: keyOf(PHONE_USERS, 'without-extension'),
  queryFn: async () => {
    const [people, phones] = await Promise.all([
      searchRead('res.users', { domain: [['is_in_connect', '=', true]], fields: ['name'], limit: PEOPLE_MAX }),
      searchRead(PHONE_USERS, { domain: [['telco_exten', '!=', false]], fields: ['user'], limit: PEOPLE_MAX }),
    ])
    const reached = new Set(phones.map(({ user }) => user?.[0]))
    return people.filter(({ id }) => !reached.has(id))
  },
})

interface Props extends Omit<LinkProps, 'model' | 'domain' | 'making'> {
  /** The language of the record, which what is made here speaks too. */
  spoken: unknown
}

/** Chooses a short number, or whom or what has none yet: that gets one at once. */
export function ExtensionPicker({ spoken, ...props }: Props) {
  const say = useWords('records')
  const me = useMe()
  const mayMake = mayDo(me, EXTENSIONS, 'c')
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const enabled = isOpen && mayMake
  const people = useQuery({ ...peopleQuery, enabled })
  const flows = useQuery({ ...namesQuery(FLOWS, text, WITHOUT), enabled })
  const agents = useQuery({ ...namesQuery(AGENTS, text, WITHOUT), enabled })
  const make = useMake(props, spoken)
  const voicemail = say('voicemail')
  const items = [
    ...(MOBILE.test(text.trim())
      ? [{ value: `mobile ${text.trim()}`, label: say('mobileOf', { number: phone(text.trim()) }) }]
      : []),
    ...(people.data ?? [])
      .filter(({ name }) => holds(name ?? '', text))
      .slice(0, ITEMS_MAX)
      .map(({ id, name }) => ({ value: `user ${id}`, label: name ?? '' })),
    ...named(FLOWS, flows.data),
    ...named(AGENTS, agents.data),
    ...(holds(voicemail, text) ? [{ value: 'voicemail', label: say('newVoicemail') }] : []),
  ]
  const making = {
    label: say('getsExtension'),
    items,
    isLooking:
      enabled && [people, flows, agents].some(({ isPending, isPlaceholderData }) => isPending || isPlaceholderData),
    onSearch: setText,
    onOpen: () => setOpen(true),
    onMake: (value: string) => void make(argumentsOf(value, voicemail)),
  }
  return (
    <>
      <LinkPicker {...props} model={EXTENSIONS} {...(mayMake ? { making } : {})} />
      <SilentExtensionNote extension={props.value} />
    </>
  )
}

function named(model: string, found: readonly (readonly [number, string])[] = []) {
  return found.slice(0, ITEMS_MAX).map(([id, name]) => ({ value: `${model},${id}`, label: name }))
}

/** What the service is told of the option. */
function argumentsOf(value: string, voicemail: string) {
  if (value === 'voicemail') return { voicemail }
  const [, kind, rest = ''] = /^(user|mobile) (.+)$/.exec(value) ?? []
  if (kind === 'user') return { user: Number(rest) }
  return kind === 'mobile' ? { mobile: rest } : { dst: value }
}

/** Makes the extension and chooses it; both can be taken back while the form is there and it is not saved. */
function useMake({ value, onChange }: Pick<Props, 'value' | 'onChange'>, spoken: unknown) {
  const say = useWords('records')
  const queries = useQueryClient()
  const { made: noted, note, forget } = useNoteMade()
  // What is typed elsewhere in the form meanwhile is not lost.
  const latest = useRef<Pick<Props, 'value' | 'onChange'>>(undefined)
  useEffect(() => {
    latest.current = { value, onChange }
    return () => {
      latest.current = undefined
    }
  }, [value, onChange])
  const offered = useOffered(noted)
  return async (asked: ReturnType<typeof argumentsOf>): Promise<void> => {
    try {
      const language = typeof spoken === 'string' ? { language: spoken } : {}
      const { extension, number, name, made } = await call(EXTENSIONS, 'ensure', { ...asked, ...language })
      const place = latest.current
      place?.onChange([extension, extensionName(number, name)])
      for (const model of [EXTENSIONS, PHONE_USERS]) await queries.invalidateQueries({ queryKey: keysOf(model) })
      if (made.length === 0) return
      const silent = silentBehind(await queries.fetchQuery(silentQuery), extension)
      const told = say('extensionMade', { number, name: phone(name ?? '') })
      const chosen = { name: extensionName(number, name), records: made }
      note(chosen)
      const undo = async (): Promise<void> => {
        try {
          const isPhoneKept = await removeMade(chosen)
          for (const model of [EXTENSIONS, PHONE_USERS]) await queries.invalidateQueries({ queryKey: keysOf(model) })
          forget(chosen)
          unchoose(latest.current, extension)
          tellDone(say(isPhoneKept ? 'madeRemovedNotPhone' : 'undone'))
        } catch (error) {
          tellRefusal(error)
        }
      }
      const offer = { label: say('undo'), run: () => void undo() }
      tellDoneUntil(
        offered(chosen, place !== undefined),
        silent === undefined ? told : `${told}. ${silence(say, silent)}`,
        offer,
      )
    } catch (error) {
      tellRefusal(error)
    }
  }
}

/** Another one may have been chosen meanwhile. */
function unchoose(place: Pick<Props, 'value' | 'onChange'> | undefined, extension: number): void {
  if (place !== undefined && Array.isArray(place.value) && place.value[0] === extension) place.onChange(null)
}

/** What was made is offered to be taken back until the form is left, or it is no longer among what was made for the form. */
function useOffered(noted: readonly MadeForForm[]): (made: MadeForForm, isChosen: boolean) => AbortSignal {
  const offers = useRef(new Map<number, AbortController>())
  useEffect(() => {
    const ids = noted.map(firstOf)
    for (const [id, offer] of offers.current) if (!ids.includes(id)) offer.abort()
  }, [noted])
  useEffect(
    () => () => {
      for (const offer of offers.current.values()) offer.abort()
    },
    [],
  )
  return (made, isChosen) => {
    const offer = new AbortController()
    // Where the form was left before, nothing chooses it.
    if (isChosen) offers.current.set(firstOf(made), offer)
    return offer.signal
  }
}

function firstOf({ records: [first] }: MadeForForm): number {
  return first?.id ?? 0
}

import {
  type ActionIconProps,
  type ButtonProps,
  createPolymorphicComponent,
  Button as DrawnButton,
  ActionIcon as DrawnIcon,
} from '@mantine/core'
import {
  type ComponentProps,
  createContext,
  type FormEvent,
  forwardRef,
  type MouseEvent,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import { onBack } from '../data/back.ts'
import { saysUnreachable } from '../data/errors.ts'
import classes from './press.module.css'

/**
 * Does one piece of work at a time: while it is under way, pressing again does nothing. The guard is a ref and not a state,
 * which two presses before the next render would both see as free.
 */
export function useOnce<Args extends unknown[]>(
  work: (...args: Args) => unknown,
): [run: (...args: Args) => unknown, isRunning: boolean] {
  const isTaken = useRef(false)
  const [isRunning, setRunning] = useState(false)
  const run = (...args: Args): unknown => {
    if (isTaken.current) return undefined
    const done = work(...args)
    if (!(done instanceof Promise)) return done
    isTaken.current = true
    setRunning(true)
    return done.finally(() => {
      isTaken.current = false
      setRunning(false)
    })
  }
  return [run, isRunning]
}

/** A button that waits loses the keyboard in a browser, and has it again once it is done. */
function useFocusKept(isRunning: boolean): (element: Element | null) => void {
  const pressed = useRef<Element>(null)
  useEffect(() => {
    const element = pressed.current
    if (isRunning || element === null) return
    pressed.current = null
    const isLost = document.activeElement === document.body && element.isConnected
    if (isLost && element instanceof HTMLElement) element.focus({ preventScroll: true })
  }, [isRunning])
  return (element) => {
    pressed.current = element
  }
}

type Pressed = (event: MouseEvent<HTMLButtonElement>) => unknown

/** As long as a refusal is new: anyone who closes what it stands in within that time has not read it. */
const UNREAD_MS = 3_000

interface Refused {
  sentence: string
  at: number
  /** Says it elsewhere, when its place is gone. */
  elsewhere: () => void
}
interface UnderWay {
  element: HTMLElement
  refuse: (refused: Refused | undefined) => void
}
/** What was pressed and is not done yet, the newest last. */
const underWay: UnderWay[] = []
/** Where the last refusal stands. */
let refusing: UnderWay | undefined

/** Says a refusal beside the button that was pressed for it; elsewhere where that button is gone. */
export function refuseBeside(sentence: string, elsewhere: () => void): void {
  const pressed = underWay.findLast(({ element }) => element.isConnected)
  refusing = pressed
  if (pressed === undefined) elsewhere()
  else pressed.refuse({ sentence, at: Date.now(), elsewhere })
}

/** Does what was pressed for; what was refused before it is over. */
function whileUnderWay(pressed: UnderWay | undefined, work: () => unknown): unknown {
  refusing?.refuse(undefined)
  refusing = undefined
  if (pressed === undefined) return work()
  underWay.push(pressed)
  const end = (): void => void underWay.splice(underWay.indexOf(pressed), 1)
  const done = work()
  if (done instanceof Promise) return done.finally(end)
  end()
  return done
}

/** What was refused of a press, until something is pressed again; a refusal that goes away unread is said elsewhere. */
function useRefusal(): [refused: Refused | undefined, refuse: UnderWay['refuse']] {
  const [refused, setRefused] = useState<Refused>()
  const last = useRef<Refused>(undefined)
  useEffect(
    () => () => {
      if (last.current !== undefined && Date.now() - last.current.at < UNREAD_MS) last.current.elsewhere()
    },
    [],
  )
  const refuse = (next: Refused | undefined): void => {
    last.current = next
    setRefused(next)
  }
  const isPassing = saysUnreachable(refused?.sentence)
  useEffect(() => (isPassing ? onBack(() => refuse(undefined)) : undefined))
  return [refused, refuse]
}

/** The same for a click: the second one of a double click belongs to the first, however fast that was done. */
export function usePress(
  onClick: Pressed | undefined,
  refuse?: UnderWay['refuse'],
): [press: Pressed, isRunning: boolean] {
  const began = useRef(false)
  const [run, isRunning] = useOnce((event: MouseEvent<HTMLButtonElement>) => {
    const done = whileUnderWay(refuse && { element: event.currentTarget, refuse }, () => onClick?.(event))
    began.current = done instanceof Promise
    return done
  })
  const keepFocus = useFocusKept(isRunning)
  const press = (event: MouseEvent<HTMLButtonElement>): void => {
    const isSecond = event.detail > 1 && began.current
    if (isSecond) return
    keepFocus(event.currentTarget)
    run(event)
  }
  return [press, isRunning]
}

function Refusal({ refused }: { refused: Refused | undefined }) {
  if (refused === undefined) return null
  return (
    <span role="alert" className={classes.refusal}>
      {refused.sentence}
    </span>
  )
}

const Submitting = createContext(false)

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: (event: FormEvent<HTMLFormElement>) => unknown }

/** A form that is sent once at a time: `onSubmit` gives the promise of what it began, and its button waits meanwhile. */
export function Form({ onSubmit, children, ...props }: FormProps) {
  const [refused, refuse] = useRefusal()
  const [submit, isRunning] = useOnce((event: FormEvent<HTMLFormElement>) =>
    whileUnderWay({ element: event.currentTarget, refuse }, () => onSubmit(event)),
  )
  const keepFocus = useFocusKept(isRunning)
  return (
    <form
      {...props}
      onSubmit={(event) => {
        event.preventDefault()
        keepFocus(document.activeElement)
        submit(event)
      }}
    >
      <Submitting value={isRunning}>{children}</Submitting>
      <Refusal refused={refused} />
    </form>
  )
}

export type Work = { onClick?: Pressed | undefined }

/** A button whose `onClick` gives the promise of what it began: it waits until that is done, and is not pressed meanwhile. */
export const Button = createPolymorphicComponent<'button', ButtonProps & Work>(
  forwardRef<HTMLButtonElement, ButtonProps & Work & ComponentProps<'button'>>(function Button(props, ref) {
    const { onClick, loading = false, ...others } = props
    const [refused, refuse] = useRefusal()
    const [press, isRunning] = usePress(onClick, refuse)
    const isSubmitting = useContext(Submitting) && props.type === 'submit'
    return (
      <>
        <DrawnButton {...others} ref={ref} loading={loading || isRunning || isSubmitting} onClick={press} />
        <Refusal refused={refused} />
      </>
    )
  }),
)

/** The same as a sign. */
export const ActionIcon = createPolymorphicComponent<'button', ActionIconProps & Work>(
  forwardRef<HTMLButtonElement, ActionIconProps & Work & ComponentProps<'button'>>(function ActionIcon(props, ref) {
    const { onClick, ...others } = props
    const [refused, refuse] = useRefusal()
    const [press] = usePress(onClick, refuse)
    return (
      <>
        <DrawnIcon {...others} ref={ref} onClick={press} />
        <Refusal refused={refused} />
      </>
    )
  }),
)

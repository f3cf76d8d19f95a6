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
  useRef,
  useState,
} from 'react'

/**
 * Does one piece of work at a time: while it is under way, pressing again does nothing. The guard is a ref and not a state,
 * which two presses before the next render would both see as free.
 */
export function useOnce<Args extends unknown[]>(
  work: (...args: Args) => unknown,
): [run: (...args: Args) => void, isRunning: boolean] {
  const isTaken = useRef(false)
  const [isRunning, setRunning] = useState(false)
  const run = (...args: Args): void => {
    if (isTaken.current) return
    const done = work(...args)
    if (!(done instanceof Promise)) return
    isTaken.current = true
    setRunning(true)
    void done.finally(() => {
      isTaken.current = false
      setRunning(false)
    })
  }
  return [run, isRunning]
}

type Pressed = (event: MouseEvent<HTMLButtonElement>) => unknown

/** The same for a click: the second one of a double click belongs to the first, however fast that was done. */
export function usePress(onClick: Pressed | undefined): [press: Pressed, isRunning: boolean] {
  const began = useRef(false)
  const [run, isRunning] = useOnce((event: MouseEvent<HTMLButtonElement>) => {
    const done = onClick?.(event)
    began.current = done instanceof Promise
    return done
  })
  const press = (event: MouseEvent<HTMLButtonElement>): void => {
    const isSecond = event.detail > 1 && began.current
    if (!isSecond) run(event)
  }
  return [press, isRunning]
}

const Submitting = createContext(false)

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: (event: FormEvent<HTMLFormElement>) => unknown }

/** A form that is sent once at a time: `onSubmit` gives the promise of what it began, and its button waits meanwhile. */
export function Form({ onSubmit, children, ...props }: FormProps) {
  const [submit, isRunning] = useOnce(onSubmit)
  return (
    <form
      {...props}
      onSubmit={(event) => {
        event.preventDefault()
        submit(event)
      }}
    >
      <Submitting value={isRunning}>{children}</Submitting>
    </form>
  )
}

export type Work = { onClick?: Pressed | undefined }

/** A button whose `onClick` gives the promise of what it began: it waits until that is done, and is not pressed meanwhile. */
export const Button = createPolymorphicComponent<'button', ButtonProps & Work>(
  forwardRef<HTMLButtonElement, ButtonProps & Work & ComponentProps<'button'>>(function Button(props, ref) {
    const { onClick, loading = false, ...others } = props
    const [press, isRunning] = usePress(onClick)
    const isSubmitting = useContext(Submitting) && props.type === 'submit'
    return <DrawnButton {...others} ref={ref} loading={loading || isRunning || isSubmitting} onClick={press} />
  }),
)

/** The same as a sign. */
export const ActionIcon = createPolymorphicComponent<'button', ActionIconProps & Work>(
  forwardRef<HTMLButtonElement, ActionIconProps & Work & ComponentProps<'button'>>(function ActionIcon(props, ref) {
    const { onClick, ...others } = props
    const [press] = usePress(onClick)
    return <DrawnIcon {...others} ref={ref} onClick={press} />
  }),
)

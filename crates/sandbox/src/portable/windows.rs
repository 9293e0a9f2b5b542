//! A program and its descendants on Windows: a job object, which counts their CPU time, limits their
//! memory and their number, and kills them when the judge closes it or ends. Wine's job objects
//! count no CPU time: there the times of the processes are added up that were seen in it.
#![allow(unsafe_code, reason = "job objects have no safe form in the standard library")]

use super::program::{Ending, command};
use crate::job::{Job, KILL_TIME, MARK, within};
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::io;
use std::mem::{size_of, zeroed};
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::os::windows::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdout};
use std::ptr::null;
use std::time::{Duration, Instant};
use windows_sys::Wdk::System::SystemInformation::{
    NtQuerySystemInformation, SystemProcessInformation,
};
use windows_sys::Win32::Foundation::{INVALID_HANDLE_VALUE, WAIT_OBJECT_0, WAIT_TIMEOUT};
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_ACTIVE_PROCESS,
    JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION, JOB_OBJECT_LIMIT_JOB_MEMORY,
    JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOBOBJECT_BASIC_ACCOUNTING_INFORMATION,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectBasicAccountingInformation,
    JobObjectBasicProcessIdList, JobObjectExtendedLimitInformation, QueryInformationJobObject,
    SetInformationJobObject, TerminateJobObject,
};
use windows_sys::Win32::System::Threading::{
    CREATE_NEW_PROCESS_GROUP, CREATE_SUSPENDED, OpenThread, ResumeThread, THREAD_SUSPEND_RESUME,
    WaitForSingleObject,
};
use windows_sys::Win32::System::WindowsProgramming::SYSTEM_PROCESS_INFORMATION;

pub(super) struct ProcessTree {
    job: OwnedHandle,
    program: Child,
    over: bool,
    /// Where the job object counts no CPU time: that of the processes seen in it.
    seen: BTreeMap<ProcessKey, Duration>,
}

/// A process id, which another process may get later, and the time of creation.
type ProcessKey = (usize, u64);

const MOST_IDS: usize = 1024;

#[repr(C)]
struct ProcessIds {
    assigned: u32,
    listed: u32,
    ids: [usize; MOST_IDS],
}

const KILLED: u32 = 1;

impl ProcessTree {
    /// Starts the program of a job, suspended until it is in the job object.
    pub(super) fn start(job: &Job) -> Result<(ProcessTree, ChildStdout, ChildStderr), String> {
        let object = job_object(job).map_err(within("job object"))?;
        let mut command = command(job);
        command.env(MARK, &job.mark).creation_flags(CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP);
        let mut program = job.spawn(&mut command)?;
        let (stdout, stderr) = (program.stdout.take(), program.stderr.take());
        // SAFETY: both handles are open.
        let assigned =
            unsafe { AssignProcessToJobObject(object.as_raw_handle(), program.as_raw_handle()) };
        let begun = checked(assigned).and_then(|()| resume(program.id()));
        if let Err(error) = begun {
            let _ = program.kill();
            return Err(within("job object")(error));
        }
        let tree = ProcessTree { job: object, program, over: false, seen: BTreeMap::new() };
        Ok((tree, stdout.ok_or("no standard output")?, stderr.ok_or("no standard error")?))
    }

    pub(super) fn wait(&mut self, limit: Duration) -> io::Result<Option<Ending>> {
        // Rounded up: a wait that ended too early would follow at once.
        let milliseconds = u32::try_from(limit.as_millis() + 1).unwrap_or(u32::MAX - 1);
        // SAFETY: the handle is open.
        match unsafe { WaitForSingleObject(self.program.as_raw_handle(), milliseconds) } {
            WAIT_OBJECT_0 => {
                self.over = true;
                Ok(Some(Ending { exit_code: self.program.wait()?.code(), signal: None }))
            }
            WAIT_TIMEOUT => Ok(None),
            _ => Err(io::Error::last_os_error()),
        }
    }

    pub(super) fn cpu(&mut self) -> Duration {
        let used =
            self.account().map_or(0, |account| account.TotalUserTime + account.TotalKernelTime);
        // In units of 100 ns.
        if used > 0 { Duration::from_nanos(used as u64 * 100) } else { self.cpu_of_seen() }
    }

    /// The CPU time of the processes seen in the job object, each until the last look at which it
    /// lived.
    fn cpu_of_seen(&mut self) -> Duration {
        // SAFETY: all-zero bytes are a valid value.
        let mut found: ProcessIds = unsafe { zeroed() };
        // If there are more, the first ones are listed.
        let _ = self.query(JobObjectBasicProcessIdList, &mut found);
        let ids = &found.ids[..MOST_IDS.min(found.listed as usize)];
        let times = if ids.is_empty() { Vec::new() } else { all_cpu_times() };
        for (key, cpu) in times.into_iter().filter(|(key, _)| ids.contains(&key.0)) {
            self.seen.insert(key, cpu);
        }
        self.seen.values().sum()
    }

    /// Kills all processes, and waits for their end. Returns how many ran besides the program.
    pub(super) fn kill(&mut self) -> usize {
        let living = |tree: &ProcessTree| {
            tree.account().map_or(0, |account| account.ActiveProcesses as usize)
        };
        let found = living(self).saturating_sub(usize::from(!self.over));
        self.cpu();
        // SAFETY: the handle is open.
        unsafe { TerminateJobObject(self.job.as_raw_handle(), KILLED) };
        let until = Instant::now() + KILL_TIME;
        while living(self) > 0 && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
        let _ = self.wait(KILL_TIME);
        found
    }

    fn account(&self) -> io::Result<JOBOBJECT_BASIC_ACCOUNTING_INFORMATION> {
        // SAFETY: all-zero bytes are a valid value.
        let mut account: JOBOBJECT_BASIC_ACCOUNTING_INFORMATION = unsafe { zeroed() };
        self.query(JobObjectBasicAccountingInformation, &mut account).map(|()| account)
    }

    /// Asks for information of a class, whose type in C is `T`.
    fn query<T>(&self, class: i32, place: &mut T) -> io::Result<()> {
        let size = size_of::<T>() as u32;
        let place = (&raw mut *place).cast::<c_void>();
        // SAFETY: the handle is open, and the pointer is to a live value of this size.
        checked(unsafe {
            QueryInformationJobObject(
                self.job.as_raw_handle(),
                class,
                place,
                size,
                std::ptr::null_mut(),
            )
        })
    }
}

/// The CPU times of all processes of the system, if it tells them. Wine 8's `GetProcessTimes` knows
/// only the process that calls it.
fn all_cpu_times() -> Vec<(ProcessKey, Duration)> {
    const ENTRY: usize = size_of::<SYSTEM_PROCESS_INFORMATION>();
    // Of eight bytes each, as the entries are aligned.
    let mut room = vec![0_u64; 1 << 17];
    let size = size_of_val(room.as_slice());
    let mut written = 0;
    // SAFETY: the pointers are to live values, and the size is that of the first one.
    let status = unsafe {
        NtQuerySystemInformation(
            SystemProcessInformation,
            room.as_mut_ptr().cast(),
            size as u32,
            &raw mut written,
        )
    };
    let (mut times, mut at) = (Vec::new(), 0);
    while status == 0 && at + ENTRY <= written as usize {
        // SAFETY: the entry lies in what was written, and each of its fields may have any value.
        let entry = unsafe {
            room.as_ptr().byte_add(at).cast::<SYSTEM_PROCESS_INFORMATION>().read_unaligned()
        };
        // The last three of the six numbers that the bindings leave without names: creation, user
        // and kernel time, in units of 100 ns.
        let number = |index: usize| {
            entry.Reserved1[8 * index..][..8]
                .iter()
                .rev()
                .fold(0, |sum, &byte| (sum << 8) | u64::from(byte))
        };
        let key = (entry.UniqueProcessId as usize, number(3));
        times.push((key, Duration::from_nanos((number(4) + number(5)) * 100)));
        if entry.NextEntryOffset == 0 {
            break;
        }
        at += entry.NextEntryOffset as usize;
    }
    times
}

fn job_object(job: &Job) -> io::Result<OwnedHandle> {
    // SAFETY: a job object needs neither attributes nor a name.
    let object = unsafe { CreateJobObjectW(null(), null()) };
    if object.is_null() {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the handle is open and nobody else's.
    let object = unsafe { OwnedHandle::from_raw_handle(object) };
    // SAFETY: all-zero bytes are a valid value, without limits.
    let mut limits: JOBOBJECT_EXTENDED_LIMIT_INFORMATION = unsafe { zeroed() };
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
        | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION
        | JOB_OBJECT_LIMIT_ACTIVE_PROCESS
        | JOB_OBJECT_LIMIT_JOB_MEMORY;
    limits.BasicLimitInformation.ActiveProcessLimit =
        u32::try_from(job.limits.processes).unwrap_or(u32::MAX);
    limits.JobMemoryLimit = usize::try_from(job.limits.memory).unwrap_or(usize::MAX);
    let size = size_of::<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>() as u32;
    let place = (&raw const limits).cast::<c_void>();
    // SAFETY: the handle is open, and the pointer is to a live value of this size.
    let set = unsafe {
        SetInformationJobObject(
            object.as_raw_handle(),
            JobObjectExtendedLimitInformation,
            place,
            size,
        )
    };
    checked(set).map(|()| object)
}

/// The standard library keeps no handle of the first thread.
fn resume(process: u32) -> io::Result<()> {
    // SAFETY: a snapshot needs no preparation.
    let snapshot = unsafe { CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0) };
    if snapshot == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the handle is open and nobody else's.
    let snapshot = unsafe { OwnedHandle::from_raw_handle(snapshot) };
    // SAFETY: all-zero bytes are a valid value.
    let mut entry: THREADENTRY32 = unsafe { zeroed() };
    entry.dwSize = size_of::<THREADENTRY32>() as u32;
    // SAFETY: the handle is open, and the entry names its own size.
    let mut found = unsafe { Thread32First(snapshot.as_raw_handle(), &raw mut entry) };
    let mut resumed = false;
    while found != 0 {
        if entry.th32OwnerProcessID == process {
            // SAFETY: a thread that has ended in the meantime has no handle.
            let thread = unsafe { OpenThread(THREAD_SUSPEND_RESUME, 0, entry.th32ThreadID) };
            if thread.is_null() {
                return Err(io::Error::last_os_error());
            }
            // SAFETY: the handle is open and nobody else's.
            let thread = unsafe { OwnedHandle::from_raw_handle(thread) };
            // SAFETY: the handle is open.
            resumed |= unsafe { ResumeThread(thread.as_raw_handle()) } != u32::MAX;
        }
        // SAFETY: as above.
        found = unsafe { Thread32Next(snapshot.as_raw_handle(), &raw mut entry) };
    }
    if resumed {
        Ok(())
    } else {
        Err(io::Error::other("the program's first thread cannot be found"))
    }
}

fn checked(result: i32) -> io::Result<()> {
    if result == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

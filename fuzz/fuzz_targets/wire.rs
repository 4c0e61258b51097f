//! Bytes of a pipe: frames, batches of messages, and requests, read as both ends read them.
//!
//! Whatever comes is a message or an error; reading ends; what was read is written and read back
//! the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lockstep::python::wire;

fuzz_target!(|bytes: &[u8]| {
    let mut pipe = bytes;
    while let Ok(Some(frame)) = wire::read_frame(&mut pipe) {
        assert!(frame.len() <= bytes.len());
        batch(&frame);
        request(&frame);
        let mut again = Vec::new();
        wire::write_frame(&mut again, &frame).expect("it was a frame");
        let read = wire::read_frame(&mut again.as_slice());
        assert_eq!(read.expect("a whole frame"), Some(frame));
    }
});

fn batch(mut rest: &[u8]) {
    while let Ok((message, after)) = wire::split_first(rest) {
        assert!(after.len() < rest.len(), "a message of no bytes would never end");
        let mut again = Vec::new();
        wire::append(&mut again, &message).expect("it was a message");
        let (read, nothing) = wire::split_first(&again).expect("a whole message");
        assert_eq!(read, message);
        assert!(nothing.is_empty());
        rest = after;
    }
}

fn request(frame: &[u8]) {
    if let Ok(request) = wire::decode_request(frame) {
        let again = wire::encode_request(&request).expect("it was a request");
        assert_eq!(wire::decode_request(&again).expect("a whole request"), request);
    }
}
